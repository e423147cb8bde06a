import { proportion, type ReturnedShare } from '../../points/ledger/proportion';
import { type ActivityHistory, noEffects } from '../../records/activities/activityHistory';
import type { ReturnMode, ReturnModes } from './returnModesOf';
import {
  isReferrer,
  type MovementPart,
  movementsOf,
  type RuleMovement,
  returnedOf,
  splitOverParts,
  splitReturn,
  totalOf,
} from './ruleMovement';

/** How much of what an activity did goes back. */
export interface ReturnPlan {
  /** Of each effect, how many points are back then; never less than before. */
  totals: ReadonlyMap<MovementPart, number>;
  /** What became of each award of a rule. */
  awards: readonly ReturnedAward[];
}

/** What became of an award of a rule, for the log. */
export interface ReturnedAward extends Pick<RuleMovement, 'purse' | 'member'> {
  verdict: ReturnMode;
  /** Points of the award. */
  points: number;
  /** Of them, those that go back now, and those that stand then. */
  returned: number;
  left: number;
}

/** Decides how much of each award goes back with a part of an activity (docs/design/cancel.md). Pure. */
export function planReturn(
  { effects = noEffects }: Pick<ActivityHistory, 'effects'>,
  share: ReturnedShare,
  verdictOf: ReturnModes = () => undefined,
): ReturnPlan {
  const judged = movementsOf(effects).map((award): Judged => {
    const before = award.parts.reduce((sum, part) => sum + returnedOf(part), 0);
    const isOwn = !isReferrer(effects, award.member);
    return { award, verdict: verdictOf(award), points: totalOf(award), before, isOwn };
  });
  const again = returnedAgain(judged);
  const totals = new Map<MovementPart, number>();
  const awards: ReturnedAward[] = [];
  for (const each of judged) {
    const { award, verdict, points, before } = each;
    const after = again.get(award) ?? Math.max(before, verdict?.how === 'keep' ? 0 : proportion(points, share));
    for (const [part, returned] of splitOverParts(award, after, (part) => excessOf(each, part)))
      totals.set(part, returned);
    const { purse, member } = award;
    if (verdict) awards.push({ verdict, purse, member, points, returned: after - before, left: points - after });
  }
  return { totals, awards };
}

interface Judged {
  award: RuleMovement;
  verdict: ReturnMode | undefined;
  points: number;
  /** Points that went back before. */
  before: number;
  /** It is of the member of the activity, not of the one who referred it. */
  isOwn: boolean;
}

/**
 * Points of each award that is decided again that are back then. What all rules would give a member in a purse is set
 * against what stands there of such awards: a rule that only now wins its group makes up for the one that won it. Those
 * that earn less now give first.
 */
function returnedAgain(judged: readonly Judged[]): Map<RuleMovement, number> {
  const back = new Map<RuleMovement, number>();
  const others = new Set(judged.flatMap(({ award, verdict }) => (verdict?.how === 'reevaluate' ? [] : nameOf(award))));
  for (const group of groupsOf(judged)) {
    const [first] = group;
    if (first?.verdict?.how !== 'reevaluate') continue;
    const stands = first.verdict.standing.ofPurse(first.award.purse, first.isOwn, others);
    const points = group.reduce((sum, each) => sum + each.points, 0);
    const before = group.reduce((sum, each) => sum + each.before, 0);
    const givable = group.map((each) => ({ ...each, excess: each.points - earnedNow(each) }));
    const shares = splitReturn(givable, Math.max(before, points - stands));
    for (const [index, { award }] of group.entries()) back.set(award, shares[index] ?? 0);
  }
  return back;
}

/** Awards that are decided again, by member and purse. */
function groupsOf(judged: readonly Judged[]): Judged[][] {
  const groups = new Map<string, Judged[]>();
  for (const each of judged.filter(({ verdict }) => verdict?.how === 'reevaluate')) {
    const key = `${each.isOwn} ${each.award.purse.toHexString()}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

/** A rule whose award goes back in another way counts for nothing else. */
function nameOf({ rule, kind, isMoved }: RuleMovement): string[] {
  return rule && kind === 'given' && !isMoved ? [rule.toHexString()] : [];
}

function earnedNow({ award: { rule, action = 0 }, verdict, isOwn }: Judged): number {
  return rule && verdict?.how === 'reevaluate' ? verdict.standing.ofAward(rule, action, isOwn) : 0;
}

/** Points of a lot that its line item gives no more. */
function excessOf({ award: { rule }, verdict, isOwn }: Judged, part: MovementPart): number {
  if (!rule || verdict?.how !== 'reevaluate') return 0;
  return part.points - verdict.standing.ofPart(rule, part.n ?? 0, isOwn);
}
