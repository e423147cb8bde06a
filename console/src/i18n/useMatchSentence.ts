import { useCallback } from 'react';
import type { ServiceMessage } from './serviceMessage';
import { useServiceMessage } from './useServiceMessage';

interface Match {
  sentence?: string | undefined;
  failure?: ServiceMessage | undefined;
}

/** Why a rule fired or did not. The service answers in the requested language, but quotes an error in English. */
export function useMatchSentence(): (match: Match) => string {
  const text = useServiceMessage();
  return useCallback(
    ({ sentence = '', failure }) => {
      // The sentence has its own full stop.
      const quoted = failure?.message.replace(/\.$/, '');
      return failure && quoted ? sentence.replace(quoted, () => text(failure).replace(/\.$/, '')) : sentence;
    },
    [text],
  );
}
