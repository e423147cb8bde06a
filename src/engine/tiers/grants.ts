import type { MetricEntry } from '#records/aggregates/metricEvents';
import { type Grant, grantsMax, type Ladder, type LadderStep, type TierLevelRef } from '#records/members/memberTier';
import { finished, isBetter, reachedSince, topStep } from './claims';
import { isSetByRule } from './ladder';
import type { LadderInput } from './levels';
import { firstEnd, laterEnd } from './tierTerms';

/** A level for a time, as a rule gives it. */
export interface NewGrant extends Pick<Grant, 'keep'> {
  level: TierLevelRef;
  /** After now. */
  expiresOn: Date;
}

/**
 * Grants a level for a time, in addition to what the member has. Of two grants without a challenge at one level the
 * longer one stays. A running challenge at this level continues, and no second one begins.
 * @returns the same ladder when nothing changes
 */
export function grantLevel(ladder: Ladder, grant: NewGrant, input: LadderInput): Ladder {
  const { grants = [] } = ladder;
  const alike = grants.filter(
    ({ level, keep }) => level.number === grant.level.number && (keep === undefined) === (grant.keep === undefined),
  );
  if (alike.some(({ expiresOn }) => grant.keep !== undefined || expiresOn >= grant.expiresOn)) return ladder;
  const others = grants.filter((each) => !alike.includes(each));
  const made = { ...grant, since: reachedSince(ladder, grant.level, input.now) };
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
 * Makes levels whose challenge is met regular ones, with the term of the policy. A longer grant stays until its own
 * end, so meeting a challenge never shortens the time at a level.
 * @returns the same ladder when no challenge is met
 */
export function keepLevels(ladder: Ladder, input: LadderInput): Ladder {
  const { grants = [], ...left } = ladder;
  const met = grants.filter(isMet).sort((a, b) => (isBetter(a, b) ? -1 : 1));
  if (met.length === 0) return ladder;
  const open = withGrants(
    left,
    grants.filter((grant) => !isMet(grant)),
  );
  return finished(
    met.reduce((kept, grant) => keptLevel(kept, grant, ladder, input), open),
    input,
  );
}

function isMet({ keep }: Grant): boolean {
  return keep !== undefined && keep.counted >= keep.atLeast;
}

/** @param before the ladder before any of its levels was kept */
function keptLevel(ladder: Ladder, { level, since, expiresOn }: Grant, before: Ladder, input: LadderInput): Ladder {
  const top = topStep(ladder);
  const ends = firstEnd(input.now, input);
  if (top && top.level.number > level.number) {
    // The level above may be lost before this one ends. Without a term it can only be revoked.
    return ends.expiresOn
      ? withGrant(ladder, { level, since, expiresOn: later(expiresOn, ends.expiresOn) })
      : { ...ladder, steps: withFirmStep(ladder.steps, { level, since, isFirm: true, isSet: false }) };
  }
  const isTopLevel = top?.level.number === level.number;
  const own = isTopLevel
    ? { ...withoutEnd(top), ...keptFlag(top), isFirm: true, isSet: isSetByRule(top), ...laterEnd(top, ends) }
    : { level, since: reachedSince(before, level, input.now), isFirm: true, isSet: false, isKept: true, ...ends };
  const kept: Ladder = { ...ladder, steps: isTopLevel ? [...ladder.steps.slice(0, -1), own] : [own] };
  return own.expiresOn && own.expiresOn < expiresOn ? withGrant(kept, { level, since, expiresOn }) : kept;
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** A level that the metric alone gave can lose that by a cancellation, and stays by the challenge. */
function keptFlag({ isFirm, isKept }: LadderStep): Pick<LadderStep, 'isKept'> {
  return isFirm && isKept === undefined ? {} : { isKept: isKept ?? false };
}

function withoutEnd({ expiresOn: _expiresOn, termsFrom: _termsFrom, ...step }: LadderStep): LadderStep {
  return step;
}

function withFirmStep(steps: readonly LadderStep[], step: LadderStep): LadderStep[] {
  const others = steps.filter(({ level }) => level.number !== step.level.number);
  return [...others, step].sort((a, b) => a.level.number - b.level.number);
}

/** Adds a level for a time without a challenge. Of two at one level the longer one stays. */
function withGrant(ladder: Ladder, grant: Grant): Ladder {
  const { grants = [], ...left } = ladder;
  const isAlike = (each: Grant) => each.keep === undefined && each.level.number === grant.level.number;
  const known = grants.find(isAlike);
  if (known && known.expiresOn >= grant.expiresOn) return ladder;
  const best = [...grants.filter((each) => !isAlike(each)), grant].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  return withGrants(left, best.slice(0, grantsMax));
}

function withGrants(ladder: Ladder, grants: readonly Grant[]): Ladder {
  return grants.length > 0 ? { ...ladder, grants: [...grants] } : ladder;
}
