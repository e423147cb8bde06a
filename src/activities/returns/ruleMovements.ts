import type { ObjectId } from 'bson';
import { listMax } from '#engine/rules/actions/list';
import type { StoredEffects } from '#records/activities/activityHistory';

/** Points that an activity moved in one lot, or as debt. */
export type MovementPart = StoredEffects['accrued' | 'burned' | 'debts'][number];

/** The points that one action of a rule, or one coupon, gave or took in one purse of one member. */
export interface RuleMovement {
  /** `given`: points that a rule, a coupon or a transfer added. `taken`: points that were spent or transferred away. */
  kind: 'given' | 'taken';
  /** True when a transfer brought the points from another purse. */
  isMoved: boolean;
  /** The rule. Absent for a coupon and for effects of older histories. */
  rule?: ObjectId | undefined;
  /** Position of the action in its rule, or of the coupon among the applied coupons. */
  action?: number | undefined;
  member: ObjectId;
  purse: ObjectId;
  /** In the order in which they are returned. */
  parts: MovementPart[];
}

type Effects = Pick<StoredEffects, 'accrued' | 'burned' | 'debts'>;

/**
 * The movements of an activity, in order. Of taken points, debt is returned first, then the lots in burn order. Each
 * effect that was stored without its action is a movement of its own.
 */
export function ruleMovements({ accrued, burned, debts }: Effects): RuleMovement[] {
  const awards = new Map<string, RuleMovement>();
  const add = (kind: RuleMovement['kind'], part: MovementPart, index: number) => {
    const { rule, n, member, purse } = part;
    const action = rule && n !== undefined ? n % listMax : n;
    const isMoved = 'moved' in part && part.moved === true;
    const issued = 'issued' in part ? part.issued : undefined;
    const unnamed = action === undefined ? `${'lot' in part} ${index}` : '';
    const key = [kind, isMoved, rule, action, member, purse, issued, unnamed].join(' ');
    const known = awards.get(key);
    if (known) known.parts.push(part);
    else awards.set(key, { kind, isMoved, rule, action, member, purse, parts: [part] });
  };
  for (const [index, part] of accrued.entries()) add('given', part, index);
  for (const [index, part] of debts.entries()) add('taken', part, index);
  for (const [index, part] of burned.entries()) add('taken', part, index);
  return [...awards.values()];
}

/** True when the points are those of the activity's member, not of its referrer or the head of its family. */
export function isOwnMovement(
  { referrals = [] }: Pick<StoredEffects, 'referrals'>,
  { member, parts }: Pick<RuleMovement, 'member' | 'parts'>,
): boolean {
  const isPooled = parts.some((part) => 'pooled' in part && part.pooled);
  return !isPooled && !referrals.some(({ referrer }) => referrer.equals(member));
}

/** Sum of the points of all parts. */
export function movementTotal({ parts }: Pick<RuleMovement, 'parts'>): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}

/** Points of the part that are returned so far. */
export function returnedPoints(part: MovementPart): number {
  return 'returned' in part ? part.returned : part.restored;
}

/**
 * Splits the returned points of a movement over its parts, in order. The excess of the parts is returned first.
 * @param returned points of the whole movement returned in all
 * @param excess points of a part that are no longer earned
 * @returns for each part, its points returned in all; never less than before
 */
export function splitOverParts(
  { parts }: Pick<RuleMovement, 'parts'>,
  returned: number,
  excess: (part: MovementPart) => number = () => 0,
): Map<MovementPart, number> {
  const shares = splitReturn(
    parts.map((part) => ({ points: part.points, before: returnedPoints(part), excess: excess(part) })),
    returned,
  );
  return new Map(parts.map((part, index) => [part, shares[index] ?? 0]));
}

/** Points that can be returned: `before` were returned earlier, `excess` are no longer earned. */
export interface Returnable {
  points: number;
  before: number;
  excess: number;
}

/** Splits `returned` points in order, excess first. Returns for each entry the points returned in all. */
export function splitReturn(all: readonly Returnable[], returned: number): number[] {
  const totals = all.map(({ before }) => before);
  let left = returned - totals.reduce((sum, before) => sum + before, 0);
  const give = (index: number, upTo: number) => {
    const before = totals[index] ?? 0;
    const points = Math.max(0, Math.min(left, upTo - before));
    totals[index] = before + points;
    left -= points;
  };
  for (const [index, { points, excess }] of all.entries()) give(index, Math.min(points, excess));
  for (const [index, { points }] of all.entries()) give(index, points);
  return totals;
}
