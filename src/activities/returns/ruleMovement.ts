import type { ObjectId } from 'bson';
import type { StoredEffects } from '../../records/activities/activityHistory';
import { listMax } from '../../rules/format/rule';

/** Points of one lot, or debt, that an activity moved. */
export type MovementPart = StoredEffects['accrued' | 'burned' | 'debts'][number];

/** What one action of a rule, or one coupon, gave or took in one purse of one member. */
export interface RuleMovement {
  /** Given: points that arrived, by a rule, a coupon or a transfer. Taken: points that were spent or transferred away. */
  kind: 'given' | 'taken';
  /** They came from another purse by a transfer. */
  isMoved: boolean;
  /** The rule; absent of a coupon, and of what was stored before it was kept. */
  rule?: ObjectId | undefined;
  /** Position of the action in its rule; of a coupon, its place among those applied. */
  action?: number | undefined;
  member: ObjectId;
  purse: ObjectId;
  /** In the order in which points of it go back. */
  parts: MovementPart[];
}

type Effects = Pick<StoredEffects, 'accrued' | 'burned' | 'debts'>;

/**
 * The awards of an activity, in order. Of what was taken the debt goes back first, then the lots in burn order. Effects
 * stored without their action are an award each.
 */
export function movementsOf({ accrued, burned, debts }: Effects): RuleMovement[] {
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

/** True of the other member that an activity awarded: the one who referred its own. */
export function isReferrer({ referrals = [] }: Pick<StoredEffects, 'referrals'>, member: ObjectId): boolean {
  return referrals.some(({ referrer }) => referrer.equals(member));
}

/** Points of the award in all. */
export function totalOf({ parts }: Pick<RuleMovement, 'parts'>): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}

/** Of these points, how many went back so far. */
export function returnedOf(part: MovementPart): number {
  return 'returned' in part ? part.returned : part.restored;
}

/**
 * Shares out what goes back of an award over its parts in order: of each, how many points are back then. Never less than
 * before; with `excess`, parts give first what they have too much.
 * @param returned points of the whole award that are back then
 * @param excess of a part's points, those that nothing stands for any more
 */
export function splitOverParts(
  { parts }: Pick<RuleMovement, 'parts'>,
  returned: number,
  excess: (part: MovementPart) => number = () => 0,
): Map<MovementPart, number> {
  const shares = splitReturn(
    parts.map((part) => ({ points: part.points, before: returnedOf(part), excess: excess(part) })),
    returned,
  );
  return new Map(parts.map((part, index) => [part, shares[index] ?? 0]));
}

/** Points of which some go back: how many did before, and how many nothing stands for any more. */
export interface Returnable {
  points: number;
  before: number;
  excess: number;
}

/** Shares out `returned` points in order: of each, how many are back then; what is in excess goes first. */
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
