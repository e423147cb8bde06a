import { groupBy } from '#base/common/lists/groupBy';
import { proportion, type ReturnedShare } from '#engine/points/ledger/proportion';
import { type ActivityHistory, noEffects } from '#records/activities/activityHistory';
import type { ReturnMode, ReturnModes } from './decideReturnModes';
import {
  isOwnMovement,
  type MovementPart,
  movementTotal,
  type RuleMovement,
  returnedPoints,
  ruleMovements,
  splitOverParts,
  splitReturn,
} from './ruleMovements';

/** How much of the effects of an activity a return gives back. */
export interface ReturnPlan {
  /** For each effect, the points returned in all, this return included. Never less than before. */
  totals: ReadonlyMap<MovementPart, number>;
  /** Each award of a rule, for the log. */
  awards: readonly ReturnedAward[];
}

/** How a return treats one award of a rule, for the log. */
export interface ReturnedAward extends Pick<RuleMovement, 'purse' | 'member'> {
  mode: ReturnMode;
  /** Points of the award. */
  points: number;
  /** Of these points, `returned` are returned now and `left` remain afterwards. */
  returned: number;
  left: number;
}

/** Decides how many points of each award a partial or whole return returns (docs/design/cancel.md). Pure. */
export function planReturn(
  { effects = noEffects }: Pick<ActivityHistory, 'effects'>,
  share: ReturnedShare,
  returnModeOf: ReturnModes = () => undefined,
): ReturnPlan {
  const considered = ruleMovements(effects).map((award): ConsideredAward => {
    const before = award.parts.reduce((sum, part) => sum + returnedPoints(part), 0);
    const isOwn = isOwnMovement(effects, award);
    return { award, mode: returnModeOf(award), points: movementTotal(award), before, isOwn };
  });
  const reevaluated = reevaluatedTotals(considered);
  const totals = new Map<MovementPart, number>();
  const awards: ReturnedAward[] = [];
  for (const each of considered) {
    const { award, mode, points, before } = each;
    const after = reevaluated.get(award) ?? Math.max(before, mode?.how === 'keep' ? 0 : proportion(points, share));
    for (const [part, returned] of splitOverParts(award, after, (part) => excessPoints(each, part)))
      totals.set(part, returned);
    const { purse, member } = award;
    if (mode) awards.push({ mode, purse, member, points, returned: after - before, left: points - after });
  }
  return { totals, awards };
}

interface ConsideredAward {
  award: RuleMovement;
  mode: ReturnMode | undefined;
  points: number;
  /** Points that earlier returns returned. */
  before: number;
  /**
   * True when the award went to the activity's member; false when it went to the referrer or the head of the family.
   */
  isOwn: boolean;
}

/**
 * For each award that is decided again, the points returned in all. For each member and purse, it compares the points
 * of all these awards with the points that all rules would give now. So when another rule wins a group now, its award
 * replaces that of the former winner. Awards that earn less now are returned first.
 */
function reevaluatedTotals(judged: readonly ConsideredAward[]): Map<RuleMovement, number> {
  const totals = new Map<RuleMovement, number>();
  const others = new Set(judged.flatMap(({ award, mode }) => (mode?.how === 'reevaluate' ? [] : ruleIds(award))));
  for (const group of returnGroups(judged)) {
    const [first] = group;
    if (first?.mode?.how !== 'reevaluate') continue;
    const remainingPoints = first.mode.remaining.ofPurse(first.award.purse, first.isOwn, others);
    const points = group.reduce((sum, each) => sum + each.points, 0);
    const before = group.reduce((sum, each) => sum + each.before, 0);
    const returnable = group.map((each) => ({ ...each, excess: each.points - earnedNow(each) }));
    const shares = splitReturn(returnable, Math.max(before, points - remainingPoints));
    for (const [index, { award }] of group.entries()) totals.set(award, shares[index] ?? 0);
  }
  return totals;
}

/** The awards that are decided again, grouped by member and purse. */
function returnGroups(judged: readonly ConsideredAward[]): ConsideredAward[][] {
  const reevaluated = judged.filter(({ mode }) => mode?.how === 'reevaluate');
  return [...groupBy(reevaluated, ({ isOwn, award }) => `${isOwn} ${award.purse.toHexString()}`).values()];
}

/** The id of the rule of an award that is not decided again. Its points must not replace those of other awards. */
function ruleIds({ rule, kind, isMoved }: RuleMovement): string[] {
  return rule && kind === 'given' && !isMoved ? [rule.toHexString()] : [];
}

function earnedNow({ award: { rule, action = 0 }, mode, isOwn }: ConsideredAward): number {
  return rule && mode?.how === 'reevaluate' ? mode.remaining.ofAward(rule, action, isOwn) : 0;
}

/** Points of a part that its line item no longer earns. */
function excessPoints({ award: { rule }, mode, isOwn }: ConsideredAward, part: MovementPart): number {
  if (!rule || mode?.how !== 'reevaluate') return 0;
  return part.points - mode.remaining.ofPart(rule, part.n ?? 0, isOwn);
}
