import { may } from '../session/session';
import { useHasAny } from './useHasAny';

/** A step from nothing to the first points. Its messages are `overview.first.<name>`. */
export interface FirstStep {
  name: 'program' | 'purse' | 'rule' | 'member' | 'points';
  isDone: boolean;
  /** The page on which it is done. */
  to: string;
}

/** The steps to the first points. Undefined until it is known whether there are points, and for who may not see that. */
export function useFirstSteps(hasProgram: boolean): FirstStep[] | undefined {
  // A member with points implies all earlier steps, so those are only checked when there are no points.
  const points = useHasAny('journal', may('journal:read'));
  const purses = useHasAny('pursepolicies', points === false);
  const rules = useHasAny('rules', points === false && may('rules:read'));
  const members = useHasAny('members', points === false);
  if (points === undefined) return undefined;
  const isDone = { program: hasProgram, purse: purses, rule: rules, member: members, points };
  if (!points && [purses, rules, members].includes(undefined)) return undefined;
  return pages.map(({ name, to }) => ({ name, to, isDone: points || isDone[name] === true }));
}

const pages = [
  { name: 'program', to: '/definitions/programs/create' },
  { name: 'purse', to: '/definitions/pursepolicies/create' },
  { name: 'rule', to: '/rules/new' },
  { name: 'member', to: '/members/create' },
  { name: 'points', to: '/members' },
] as const;
