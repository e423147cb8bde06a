import type { ObjectId } from 'bson';
import type { NamedAmount } from '#engine/rules/ruleTests/scenario';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { ScenarioWorld } from './scenarioWorld';

/** What is stored of each offer or reward that an activity applied. */
interface Applied {
  _id: ObjectId;
  discount: number;
  points: number;
}

type ScenarioRecords = Pick<ScenarioWorld, 'histories' | 'issued' | 'records' | 'member'>;

/**
 * What the activities have given so far in addition to the member's points: rewards, the money paid for them, and the
 * head's shares.
 */
export interface AwardedSoFar {
  histories: ReadonlySet<string>;
  rewards: ReadonlyMap<string, number>;
  money: ReadonlyMap<string, number>;
  pool: ReadonlyMap<string, number>;
}

/** Sums up what the member was given so far. What was withdrawn or given back no longer counts. */
export function awardedSoFar({ histories, issued }: ScenarioRecords): AwardedSoFar {
  const all = [...histories.values()];
  const rewards = [...issued.values()].flatMap(({ reward, status }) =>
    reward && status !== 'Withdrawn' ? [{ id: reward, value: 1 }] : [],
  );
  const money = all.flatMap(({ effects }) =>
    (effects?.payments ?? []).map(({ reward: id, money: paid, returned }) => ({ id, value: paid - returned })),
  );
  const pool = all.flatMap(({ effects }) =>
    (effects?.accrued ?? []).flatMap(({ pooled, purse: id, points, returned }) =>
      pooled ? [{ id, value: points - returned }] : [],
    ),
  );
  return { histories: new Set(histories.keys()), rewards: sums(rewards), money: sums(money), pool: sums(pool) };
}

function sums(all: readonly { id: ObjectId; value: number }[]): Map<string, number> {
  const byId = new Map<string, number>();
  for (const { id, value } of all) byId.set(id.toHexString(), (byId.get(id.toHexString()) ?? 0) + value);
  return byId;
}

/** What one step gave: the offers that its activities applied, and the changes since before it. */
export function awardedSince(before: AwardedSoFar, world: ScenarioRecords) {
  const after = awardedSoFar(world);
  const { offers, rewards, policies } = world.records;
  const coupons = namesById([...offers, ...rewards]);
  const purses = new Map(policies.map(({ _id, name }) => [_id.toHexString(), [name]]));
  const newHistories = [...world.histories.values()].filter(
    ({ _id, memberID }) => !before.histories.has(_id.toHexString()) && memberID.equals(world.member._id),
  );
  const applied = newHistories
    .flatMap(appliedIn)
    .map(({ _id: id, discount, points }) => ({ id, value: discount + points }));
  return {
    offers: named(sums(applied), coupons),
    rewards: named(balanceChanges(before.rewards, after.rewards), coupons),
    money: named(balanceChanges(before.money, after.money), coupons),
    pool: named(balanceChanges(before.pool, after.pool), purses),
  };
}

function appliedIn({ bestOffers }: ActivityHistory): readonly Applied[] {
  return Array.isArray(bestOffers) ? bestOffers : [];
}

function namesById(records: readonly { _id: ObjectId; code: string; name: string }[]): Map<string, string[]> {
  return new Map(records.map(({ _id, code, name }) => [_id.toHexString(), [code, name]]));
}

function balanceChanges(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Map<string, number> {
  const ids = new Set([...before.keys(), ...after.keys()]);
  const changes = [...ids].map((id) => [id, (after.get(id) ?? 0) - (before.get(id) ?? 0)] as const);
  return new Map(changes.filter(([, value]) => value !== 0));
}

function named(values: ReadonlyMap<string, number>, names: ReadonlyMap<string, readonly string[]>): NamedAmount[] {
  return [...values].map(([id, value]) => ({ names: names.get(id) ?? [id], value }));
}
