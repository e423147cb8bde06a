import type { components } from 'loyalty-client/generated/api';
import { useCallback } from 'react';
import { useSaid } from './useSaid';

type Problem = Pick<components['schemas']['ProcessingError'], 'code' | 'message'>;

/** The code of an activity that a rule refused; its message is the rule's own. */
const byRule = 2400;

/** Why an activity was refused, in the language of the console. */
export function useProblem(): (problem: Problem) => string {
  const said = useSaid();
  return useCallback(({ code, message }) => (code === byRule ? message : said(message)), [said]);
}
