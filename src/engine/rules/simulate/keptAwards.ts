import { proportion } from '#engine/points/ledger/proportion';
import { sum } from '#engine/points/pointsOverflow';
import { returnHandling } from '../format/rule';
import { type DecideAgainState, type DecidedAgain, decideAgain } from './decideAgain';
import type { PastAward, PastReturn, ProcessedActivity, PurseChange } from './processedActivity';
import { withoutReturned } from './withoutReturned';

/** The awards of the rules that fire and can be evaluated. */
function firedAwards({ decision, target, incomplete }: DecidedAgain): PastAward[] {
  return decision.kept
    .filter(({ fired, key }) => fired && !incomplete.has(key))
    .map(({ key }) => ({ key, changes: target.changes.get(key) ?? [] }));
}

/**
 * The awards of a past activity that is decided again, with the part that remains of each after returns. An award that
 * equals the original one keeps what the ledger kept. Any other award is returned as `onReturn` of its rule says
 * (docs/design/cancel.md), as if all returns had been a single one.
 */
export async function keptAwards(
  past: ProcessedActivity,
  again: DecidedAgain,
  state: DecideAgainState,
): Promise<PastAward[]> {
  const { returned } = past;
  const originals = new Map(past.awards.map((award) => [award.key, award]));
  const awards = firedAwards(again).map((award) => {
    const known = originals.get(award.key);
    return known && isSame(award, known) ? known : award;
  });
  const isNew = (award: PastAward) => originals.get(award.key) !== award;
  if (!returned || !awards.some(isNew)) return awards;
  const left = await decideAgain(withoutReturned(past, returned).past, state);
  const earned = new Map(
    left.decision.errors.length > 0 ? [] : firedAwards(left).map(({ key, changes }) => [key, sumByPurse(changes)]),
  );
  const rules = new Map(again.rules.map((rule) => [rule.key, rule]));
  return awards.map((award) => {
    if (!isNew(award)) return award;
    const how = returnHandling(rules.get(award.key), returned);
    const changes = [...sumByPurse(award.changes)].map(([place, change]) => {
      if (how === 'keep') return change;
      if (how === 'proportional') return { ...change, kept: shareLeft(change.points, past.activity.value, returned) };
      return { ...change, kept: lesser(change.points, earned.get(award.key)?.get(place)?.points ?? 0) };
    });
    return { ...award, changes };
  });
}

/** Whether two awards move the same points of the same members, before anything is returned. */
function isSame(one: PastAward, other: PastAward): boolean {
  const [a, b] = [sumByPurse(one.changes), sumByPurse(other.changes)];
  return [...a.keys(), ...b.keys()].every((place) => (a.get(place)?.points ?? 0) === (b.get(place)?.points ?? 0));
}

/** The changes added up by member and purse. */
function sumByPurse(changes: readonly PurseChange[]): Map<string, PurseChange> {
  const sums = new Map<string, PurseChange>();
  for (const change of changes) {
    const place = `${change.member?.toHexString() ?? ''} ${change.purse}`;
    const known = sums.get(place);
    sums.set(place, known ? { ...known, points: sum(known.points, change.points) } : change);
  }
  return sums;
}

function shareLeft(points: number, value: number, { value: returned }: PastReturn): number {
  const back = proportion(Math.abs(points), { returned, of: value });
  return points < 0 ? points + back : points - back;
}

/** The one nearer to 0; 0 when the signs differ. */
function lesser(points: number, left: number): number {
  return points < 0 ? Math.min(0, Math.max(points, left)) : Math.max(0, Math.min(points, left));
}
