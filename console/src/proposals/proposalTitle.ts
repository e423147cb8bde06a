import type { Proposal } from './proposalApi';

type Translate = (key: string, options?: Record<string, unknown>) => string;

/** What a proposal is about: its first file and how many more, or the version that should be scheduled. */
export function proposalTitle({ action, paths, ruleSet }: Proposal, translate: Translate): string {
  const [first, ...others] = paths;
  if (first === undefined) return translate('proposals.scheduleVersion', { version: ruleSet });
  if (others.length === 0) return translate(`proposals.${action}`, { path: first });
  return translate(`proposals.${action}More`, { path: first, count: others.length });
}
