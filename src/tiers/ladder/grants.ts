import type { MetricEntry } from '../../records/aggregates/metricEvents';
import { type Grant, grantsMax, type Ladder, type TierLevelRef } from '../../records/members/memberTier';
import { finished, isBetter, sinceOf, topOf } from './claims';
import type { LadderInput } from './levels';
import { firstEnd } from './tierTerms';

/** A level for a time, as a rule gives it. */
export interface NewGrant extends Pick<Grant, 'keep'> {
  level: TierLevelRef;
  /** After now. */
  expiresOn: Date;
}

/**
 * Gives a level for a time, beside what the member has. Of two without a challenge at one level the longer one stays;
 * a challenge that runs at this level goes on, and no second one begins.
 * @returns the same ladder when nothing changes
 */
export function grantLevel(ladder: Ladder, grant: NewGrant, input: LadderInput): Ladder {
  const { grants = [] } = ladder;
  const alike = grants.filter(
    ({ level, keep }) => level.number === grant.level.number && (keep === undefined) === (grant.keep === undefined),
  );
  if (alike.some(({ expiresOn }) => grant.keep !== undefined || expiresOn >= grant.expiresOn)) return ladder;
  const others = grants.filter((each) => !alike.includes(each));
  const made = { ...grant, since: sinceOf(ladder, grant.level, input.now) };
  const best = [...others, made].sort((a, b) => (isBetter(a, b) ? -1 : 1)).slice(0, grantsMax);
  return finished({ ...ladder, grants: best }, input);
}

/** Counts changes of metrics for challenges: those of their metric on days from their first day on, before their end. */
export function countForChallenges(ladder: Ladder, entries: readonly MetricEntry[]): Ladder {
  if (!ladder.grants?.some(({ keep }) => keep)) return ladder;
  const grants = ladder.grants.map((grant): Grant => {
    const { keep, expiresOn } = grant;
    if (!keep) return grant;
    const first = new Date(`${keep.from}T00:00:00.000Z`);
    const own = entries.filter(
      ({ metric, day, at }) => metric === keep.metric && day >= first && (at === undefined || at < expiresOn),
    );
    return { ...grant, keep: { ...keep, counted: own.reduce((sum, { value }) => sum + value, keep.counted) } };
  });
  return { ...ladder, grants };
}

/**
 * Makes levels whose challenge is met regular ones, with the term of the policy.
 * @returns the same ladder when no challenge is met
 */
export function keepLevels(ladder: Ladder, input: LadderInput): Ladder {
  const isMet = ({ keep }: Grant) => keep !== undefined && keep.counted >= keep.atLeast;
  const { grants = [], ...left } = ladder;
  const [best] = grants.filter(isMet).sort((a, b) => (isBetter(a, b) ? -1 : 1));
  if (!best) return ladder;
  const running = grants.filter((grant) => !isMet(grant));
  const open: Ladder = running.length > 0 ? { ...left, grants: running } : left;
  const { level } = best;
  if ((topOf(open)?.level.number ?? -1) >= level.number) return finished(open, input);
  const step = { level, since: sinceOf(ladder, level, input.now), isFirm: true, isSet: false };
  return finished({ ...open, steps: [{ ...step, ...firstEnd(input.now, input) }] }, input);
}
