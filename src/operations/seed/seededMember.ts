import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { accrue } from '#engine/points/ledger/accrue';
import { burn } from '#engine/points/ledger/burn';
import { type Ledger, openLedger } from '#engine/points/ledger/ledger';
import { type ActivityHistory, noEffects, type StoredEffects } from '#records/activities/activityHistory';
import { memberKeys } from '#records/members/find/memberKeys';
import type { Member } from '#records/members/member';
import type { JournalEntry } from '#records/points/journalEntry';
import type { Lot } from '#records/points/lot';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';

/** The input of seeded members. The same plan always makes the same ledgers. */
export interface SeedPlan {
  author: Author;
  program: Program;
  policy: PursePolicy;
  now: Date;
}

type Stamps = ReturnType<typeof newStamps>;

/** All records of one member. */
export interface SeededMember {
  member: Member;
  items: (Lot & Stamps)[];
  entries: (JournalEntry & Stamps)[];
  histories: ActivityHistory[];
}

/** The number of purchases before each redemption. */
const purchasesPerRedemption = 5;

/**
 * Makes the n-th member, with one accrual item for each purchase of the past 300 days and some redemptions. The ledger
 * code of the pipeline computes purse, items and journal, so they agree.
 */
export function seededMember(plan: SeedPlan, n: number, itemCount: number): SeededMember {
  const { author, program, policy, now } = plan;
  const _id = seededMemberId(author.org, n);
  const ledger = openLedger({
    member: { _id, program: program._id },
    purses: [],
    seq: 0,
    policies: [policy],
    lots: [],
    timezone: program.timezone,
    now,
  });
  const loyaltyID = `SEED-${n}`;
  const histories = [];
  for (let i = 0; i < itemCount; i += 1) {
    const date = new Date(now.getTime() - Math.floor((300 * dayMs * (itemCount - i)) / (itemCount + 1)));
    const value = 1 + ((n * 31 + i * 17) % 500);
    const place = { plan, ledger, member: { _id, loyaltyID }, date };
    histories.push(purchase(place, derivedId('seed', _id, i), value));
    const left = ledger.purse(policy._id).availBalance;
    if ((i + 1) % purchasesPerRedemption === 0 && left > 1) {
      histories.push(redemption(place, derivedId('seedRedemption', _id, i), Math.floor(left / 2)));
    }
  }
  const { inserted, entries, purses, seq, nextDue } = ledger.changes();
  const email = `member-${n}@seed.example`;
  const member: Member = {
    ...newStamps(author, now, _id),
    program: program._id,
    loyaltyID,
    loyaltyIDs: [loyaltyID],
    status: 'Active',
    type: 'Individual',
    enrolledAt: new Date(now.getTime() - 365 * dayMs),
    referralCode: `SEED-R-${n}`,
    referrals: [],
    segments: [],
    email,
    purses,
    tiers: [],
    aggregates: [],
    mergeIds: [],
    version: 1,
    seq,
    ...(nextDue ? { nextDue } : {}),
    processedAccruals: itemCount,
    searchKeys: memberKeys({ loyaltyIDs: [loyaltyID], email }),
  };
  const stamped = <T extends object>(row: T) => ({ ...newStamps(author, now), ...row });
  return { member, items: inserted.map(stamped), entries: entries.map(stamped), histories };
}

/** The id of the n-th member of a seeded org. */
export function seededMemberId(org: ObjectId, n: number): ObjectId {
  return derivedId('seedMember', org, n);
}

interface SeedContext {
  plan: SeedPlan;
  ledger: Ledger;
  member: { _id: ObjectId; loyaltyID: string };
  date: Date;
}

function purchase(place: SeedContext, id: ObjectId, value: number): ActivityHistory {
  const { ledger, plan, member, date } = place;
  const purse = plan.policy._id;
  const lot = accrue(ledger, { purse, points: value, date, origin: { activity: id }, n: 0 });
  const accrued = { lot: lot._id, member: member._id, purse, points: value, returned: 0, charged: 0 };
  return history(place, id, { type: 'Accrual', value, effects: { ...noEffects, accrued: [accrued] } });
}

function redemption(place: SeedContext, id: ObjectId, value: number): ActivityHistory {
  const { ledger, plan, member } = place;
  const purse = plan.policy._id;
  const burned = burn(ledger, { purse, points: value, origin: { activity: id } });
  const lots = burned.isRefused ? [] : burned.lots;
  const rows = lots.map(({ lot, points }) => ({ lot, member: member._id, purse, points, restored: 0 }));
  return history(place, id, { type: 'Redemption', value, effects: { ...noEffects, burned: rows } });
}

interface SeededFields {
  type: string;
  value: number;
  effects: StoredEffects;
}

function history(
  { plan, member, date }: SeedContext,
  id: ObjectId,
  { type, value, effects }: SeededFields,
): ActivityHistory {
  const { author, program, now } = plan;
  return {
    ...newStamps(author, now, id),
    type,
    date,
    value,
    effects,
    memberID: member._id,
    loyaltyID: member.loyaltyID,
    program: program._id,
    srcChannelType: 'POS',
    currencyCode: 'USD',
    externalTxnId: `seed-${id.toHexString()}`,
    lineItems: [],
    status: 'Processed',
    ruleMatch: [],
    oplogTS: now.getTime(),
    result: { log: [], errors: [], data: { activityId: id.toHexString(), status: 'Processed' } },
  };
}
