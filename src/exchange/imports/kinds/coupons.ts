import { Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf, insertAll } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { identifier, instant, objectId, record } from '#base/schema/atoms';
import { toCodeKey } from '#base/schema/findable';
import { createReadRows } from '#platform/recordWrites/readRows';
import { type Member, memberResource } from '#records/members/member';
import { type IssuedReward, issuedRewardResource } from '#records/offers/issuedReward';
import { offerResource } from '#records/offers/offer';
import { type Reward, rewardResource } from '#records/offers/reward';
import type { ImportContext, ImportKind, ImportRow, Outcome } from './importKind';
import { idsByName, withId } from './namedIds';

const couponBody = record({
  code: identifier(100),
  member: objectId('Member'),
  reward: objectId('Reward'),
  validFrom: Type.Optional(instant()),
  validUntil: Type.Optional(instant()),
});

interface Coupon {
  code: string;
  member: ObjectId;
  reward: ObjectId;
  validFrom?: Date;
  validUntil?: Date;
}

const readRows = createReadRows<Coupon>(issuedRewardResource, couponBody);

/** The import of codes of members for rewards, as issued rewards without an activity (docs/design/bulk.md). */
export const coupons: ImportKind = {
  // A code is worth points, as an accrual item is.
  permissions: ['accrualitems:write'],
  key: 'code',
  knownBy: 'code',
  sometimes: [],
  model: issuedRewardResource.name,
  fields: {
    body: record({ ...couponBody.properties, loyaltyID: identifier(100) }),
    notRead: new Set(
      Object.keys(issuedRewardResource.shape.properties).filter((name) => !(name in couponBody.properties)),
    ),
    required: [['code'], ['member', 'loyaltyID'], ['reward']],
    prefixes: [],
    points: [],
    amounts: [],
  },
  async plan(context, rows) {
    const { services, principal, definitions, now } = context;
    const read = await readRows(await resolved(context, rows), definitions);
    const good = read.flatMap((row) => (row instanceof ServiceError ? [] : [row]));
    if (new Set(good.map(({ code }) => code)).size < good.length)
      throw invalidField('code', 'unique', message('imports.inTwoRows'));
    const known = await named(context, good);
    const made: IssuedReward[] = [];
    const outcomes = read.map((row): Outcome => {
      if (row instanceof ServiceError) return row;
      const issued = known.issued.get(row.code);
      if (issued)
        return isSame(row, issued) ? 'unchanged' : invalidField('code', 'unique', message('imports.otherCoupon'));
      const fault = importCouponFault(row, known);
      if (fault) return fault;
      const program = known.rewards.get(row.reward.toHexString())?.program ?? row.reward;
      made.push({
        ...newStamps(principal, now, new ObjectId()),
        ...row,
        codeKey: toCodeKey(row.code),
        program,
        status: 'Issued',
      });
      return 'created';
    });
    if (made.length === 0) return { outcomes };
    return {
      outcomes,
      async write(session) {
        await insertAll(services.db, session, issuedRewardResource.path, made);
        return outcomes;
      },
    };
  },
};

async function resolved(context: ImportContext, rows: readonly ImportRow[]): Promise<unknown[]> {
  const values = rows.map(({ value: { loyaltyID, ...value } }) =>
    value.member === undefined && loyaltyID !== undefined ? { ...value, member: loyaltyID } : value,
  );
  const members = await idsByName(
    context,
    memberResource.path,
    'loyaltyIDs',
    values.map(({ member }) => member),
  );
  const rewards = await idsByName(
    context,
    rewardResource.path,
    'code',
    values.map(({ reward }) => reward),
  );
  return values.map((value) => withId(withId(value, 'member', members), 'reward', rewards));
}

interface Named {
  issued: ReadonlyMap<string, IssuedReward>;
  members: ReadonlyMap<string, Member>;
  rewards: ReadonlyMap<string, Reward>;
  /** The codes of offers and rewards. */
  taken: ReadonlySet<string>;
}

async function named({ services: { db }, principal: { org } }: ImportContext, rows: readonly Coupon[]): Promise<Named> {
  const codes = rows.map(({ code }) => code);
  const [issued, members, rewards, taken] = await Promise.all([
    collectionOf(db, issuedRewardResource)
      .find({ org, code: { $in: codes } })
      .toArray(),
    collectionOf(db, memberResource)
      .find({ org, _id: { $in: rows.map(({ member }) => member) } })
      .toArray(),
    collectionOf(db, rewardResource)
      .find({ org, _id: { $in: rows.map(({ reward }) => reward) } })
      .toArray(),
    Promise.all(
      [offerResource, rewardResource].map(({ path }) =>
        db.collection(path).distinct('code', { org, code: { $in: codes } }),
      ),
    ),
  ]);
  return {
    issued: new Map(issued.map((each) => [each.code, each])),
    members: new Map(members.map((each) => [each._id.toHexString(), each])),
    rewards: new Map(rewards.map((each) => [each._id.toHexString(), each])),
    taken: new Set(taken.flat().map(String)),
  };
}

function isSame(row: Coupon, issued: IssuedReward): boolean {
  const isSameDate = (sent: Date | undefined, stored: Date | undefined) => sent?.getTime() === stored?.getTime();
  return (
    issued.member.equals(row.member) &&
    issued.reward?.equals(row.reward) === true &&
    isSameDate(row.validFrom, issued.validFrom) &&
    isSameDate(row.validUntil, issued.validUntil)
  );
}

function importCouponFault(
  { code, member: memberId, reward: rewardId, validFrom, validUntil }: Coupon,
  known: Named,
): ServiceError | undefined {
  const member = known.members.get(memberId.toHexString());
  const reward = known.rewards.get(rewardId.toHexString());
  const isHere = member && !['Merged', 'Erased'].includes(member.status);
  const faults = [
    isHere ? [] : [{ path: 'member', kind: 'reference', ...message('refs.noMember') }],
    reward ? [] : [{ path: 'reward', kind: 'reference', ...message('refs.noReward') }],
    known.taken.has(code) ? [{ path: 'code', kind: 'unique', ...message('imports.codeOfOffer') }] : [],
    validFrom && validUntil && validFrom >= validUntil
      ? [{ path: 'validUntil', kind: 'date', ...message('imports.beforeValidFrom') }]
      : [],
    member && reward && !member.program.equals(reward.program)
      ? [{ path: 'reward', kind: 'reference', ...message('imports.memberOfOtherProgram') }]
      : [],
  ].flat();
  return faults.length > 0 ? validationError(faults) : undefined;
}
