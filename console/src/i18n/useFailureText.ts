import { useCallback } from 'react';
import type { ServiceMessage } from './serviceMessage';
import { useServiceMessage } from './useServiceMessage';

/** Why work failed, as records of the service have it. Those of earlier versions have the English text alone. */
export interface FailedWork {
  error: string;
  fault?: ServiceMessage | undefined;
}

/** Why work failed, in the language of the console. */
export function useFailureText(): (failed: FailedWork) => string {
  const text = useServiceMessage();
  return useCallback(({ error, fault }) => text(fault ?? { message: error }), [text]);
}
