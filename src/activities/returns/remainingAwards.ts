import type { ObjectId } from 'bson';
import { listMax } from '#engine/rules/actions/list';
import type { PastAward } from '#engine/rules/simulate/pastTarget';

/** Points that the activity would have given without its returned part, by award, line item and purse. */
export interface RemainingAwards {
  /**
   * Points of one action of a rule. `isOwn`: for the activity's member; otherwise for its referrer or the head of its
   * family.
   */
  ofAward(rule: ObjectId, action: number, isOwn: boolean): number;
  /** Points of one action for one line item; effects encode both in `n`. */
  ofPart(rule: ObjectId, n: number, isOwn: boolean): number;
  /**
   * Points of all rules in a purse.
   * @param without hexadecimal ids of rules to leave out
   */
  ofPurse(purse: ObjectId, isOwn: boolean, without: ReadonlySet<string>): number;
}

/** What {@link remainingAwards} needs to know about the activity. */
export interface RemainingAwardsContext {
  /** For each remaining line item, its position in the original. */
  positions: readonly number[];
  /** The purse that an award of the original went to; undefined when the original had no such award. */
  purseOf: (rule: ObjectId, action: number, isOwn: boolean) => ObjectId | undefined;
  /** The purse policy with this name. */
  purseNamed: (name: string) => ObjectId | undefined;
}

/** Adds up the awards of rules. A referral that the original did not complete is not completed now. */
export function remainingAwards(
  awards: readonly PastAward[],
  { positions, purseOf, purseNamed }: RemainingAwardsContext,
): RemainingAwards {
  const byAward = new Map<string, number>();
  const byPart = new Map<string, number>();
  const byPurse: { rule: string; purse: ObjectId | undefined; isOwn: boolean; points: number }[] = [];
  for (const { rule, n, purse: name, points, isOwn, isReferral } of awards) {
    const [line, action] = [Math.floor(n / listMax), n % listMax];
    const before = rule.perLine ? (positions[line] ?? line) * listMax + action : n;
    addTo(byAward, awardKey(rule._id, action, isOwn), points);
    addTo(byPart, awardKey(rule._id, before, isOwn), points);
    const purse = purseOf(rule._id, action, isOwn) ?? (isReferral ? undefined : purseNamed(name));
    byPurse.push({ rule: rule._id.toHexString(), purse, isOwn, points });
  }
  return {
    ofAward: (...award) => byAward.get(awardKey(...award)) ?? 0,
    ofPart: (...award) => byPart.get(awardKey(...award)) ?? 0,
    ofPurse: (purse, isOwn, without) =>
      byPurse
        .filter((each) => each.isOwn === isOwn && each.purse?.equals(purse) && !without.has(each.rule))
        .reduce((sum, { points }) => sum + points, 0),
  };
}

function awardKey(rule: ObjectId, n: number, isOwn: boolean): string {
  return `${rule.toHexString()} ${n} ${isOwn}`;
}

function addTo(sums: Map<string, number>, key: string, points: number): void {
  sums.set(key, (sums.get(key) ?? 0) + points);
}
