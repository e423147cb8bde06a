import type { ObjectId } from 'bson';
import { listMax } from '../../rules/format/rule';
import type { PastAward } from '../../rules/simulate/pastTarget';

/** Points that an activity would have given without what came back, by award and by line item. */
export interface RemainingAwards {
  /** Of the action of a rule, to the member of the activity or to the one who referred it. */
  ofAward(rule: ObjectId, action: number, isOwn: boolean): number;
  /** The same of one line item, as `n` of effects names it. */
  ofPart(rule: ObjectId, n: number, isOwn: boolean): number;
  /**
   * Of all rules in a purse.
   * @param without hexadecimal ids of rules that do not count
   */
  ofPurse(purse: ObjectId, isOwn: boolean, without: ReadonlySet<string>): number;
}

/** What else is known of the activity. */
export interface RemainingAwardsContext {
  /** Of each line item, where it stood before anything came back. */
  positions: readonly number[];
  /** Where an award of the day went; undefined of one that was not given. */
  purseOf: (rule: ObjectId, action: number, isOwn: boolean) => ObjectId | undefined;
  /** The purse with a name. */
  purseNamed: (name: string) => ObjectId | undefined;
}

/** Adds up what rules give. A referral that was not completed on the day is not completed now. */
export function remainingAwardsOf(
  awards: readonly PastAward[],
  { positions, purseOf, purseNamed }: RemainingAwardsContext,
): RemainingAwards {
  const byAward = new Map<string, number>();
  const byPart = new Map<string, number>();
  const given: { rule: string; purse: ObjectId | undefined; isOwn: boolean; points: number }[] = [];
  for (const { rule, n, purse: name, points, isOwn, isReferral } of awards) {
    const [line, action] = [Math.floor(n / listMax), n % listMax];
    const before = rule.perLine ? (positions[line] ?? line) * listMax + action : n;
    addTo(byAward, keyOf(rule._id, action, isOwn), points);
    addTo(byPart, keyOf(rule._id, before, isOwn), points);
    const purse = purseOf(rule._id, action, isOwn) ?? (isReferral ? undefined : purseNamed(name));
    given.push({ rule: rule._id.toHexString(), purse, isOwn, points });
  }
  return {
    ofAward: (...asked) => byAward.get(keyOf(...asked)) ?? 0,
    ofPart: (...asked) => byPart.get(keyOf(...asked)) ?? 0,
    ofPurse: (purse, isOwn, without) =>
      given
        .filter((each) => each.isOwn === isOwn && each.purse?.equals(purse) && !without.has(each.rule))
        .reduce((sum, { points }) => sum + points, 0),
  };
}

function keyOf(rule: ObjectId, n: number, isOwn: boolean): string {
  return `${rule.toHexString()} ${n} ${isOwn}`;
}

function addTo(sums: Map<string, number>, key: string, points: number): void {
  sums.set(key, (sums.get(key) ?? 0) + points);
}
