import type { ObjectId } from 'bson';
import { isPlainObject } from '#base/common/plainObject';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { compileParse } from '#base/schema/parse';
import { addLot } from '#engine/points/ledger/accrue';
import { type LedgerChanges, openLedger } from '#engine/points/ledger/ledger';
import { memberBucket } from '#engine/rules/format/memberBucket';
import type { RuleTest } from '#engine/rules/format/rule';
import type { ProgramRecords } from '#engine/rules/format/ruleReferences';
import { scenarioProfileNames, scenarioProfileShape } from '#engine/rules/scenario/scenarioMember';
import { testDate } from '#engine/rules/scenario/testDate';
import { emptyLadder, setLevel } from '#engine/tiers/ladder';
import { type MemberTiers, nextTierDue, shownTiers, storedLadder, withLadder } from '#engine/tiers/memberTiers';
import { newMemberState } from '#members/memberState/newMemberState';
import { grantFirstTiers } from '#members/tiers/firstTiers';
import type { Member } from '#records/members/member';

/** The member of a scenario as it is before the first step, with the lots of the points that the test gives. */
export interface ScenarioStart {
  member: Member;
  lots: LedgerChanges['inserted'];
}

/** The id of a segment in scenarios. */
export function segmentId(name: string): ObjectId {
  return derivedId('scenario segment', name);
}

const parseProfile = compileParse(scenarioProfileShape);

/**
 * Makes the member of a scenario. The points that the test gives join the purses at `now`, without escrow and with the
 * expiry of the purses. A level that it gives counts as set by a rule.
 */
export function scenarioMember(test: RuleTest, records: ProgramRecords, author: Author, now: Date): ScenarioStart {
  const fields = test.member ?? {};
  const member = { ...bareMember(fields, records, author, now), ...scenarioTiers(fields, records, now) };
  const { program, policies } = records;
  const { purses, seq } = member;
  const { _id } = member;
  const ledger = openLedger({
    member: { _id, program: program._id },
    purses,
    seq,
    policies,
    timezone: program.timezone,
    now,
    lots: [],
  });
  for (const { _id: purse, name } of policies) {
    const points = Object(fields.purse)[name];
    if (typeof points !== 'number' || points <= 0) continue;
    const escrow = { type: 'none' as const };
    addLot(ledger, { _id: derivedId('scenario lot', name), purse, points, date: now, origin: {}, escrow }, 'adjust');
  }
  const { inserted: lots, nextDue: lotsDue, ...changed } = ledger.changes();
  const dues = [lotsDue, member.nextDue].filter((due) => due !== undefined);
  const nextDue = dues.length > 0 ? { nextDue: new Date(Math.min(...dues.map(Number))) } : {};
  return { member: { ...member, purses: changed.purses, seq: changed.seq, ...nextDue }, lots };
}

function bareMember(
  fields: Readonly<Record<string, unknown>>,
  { program, policies }: ProgramRecords,
  author: Author,
  now: Date,
): Member {
  const _id = idWithBucket(fields.bucket);
  const profile = parseProfile(
    Object.fromEntries(scenarioProfileNames.flatMap((name) => (name in fields ? [[name, fields[name]]] : []))),
  );
  const { enrolledAt, loyaltyID = 'test' } = fields;
  const others = Array.isArray(fields.loyaltyIDs) ? fields.loyaltyIDs.map(String) : [];
  const segments = Array.isArray(fields.segments) ? fields.segments.map(String) : [];
  const since: Readonly<Record<string, unknown>> = Object(fields.segmentSince);
  return {
    status: 'Active',
    type: 'Individual',
    referralCode: 'test',
    ...profile,
    // This is never an `_id` from the test: the id of the member is made to fit its bucket.
    ...newStamps(author, now, _id),
    program: program._id,
    loyaltyID: String(loyaltyID),
    loyaltyIDs: [...new Set([String(loyaltyID), ...others])],
    enrolledAt: testDate(enrolledAt, program.timezone) ?? now,
    segments: segments.map(segmentId),
    segmentDates: segments.map((name) => ({
      segment: segmentId(name),
      since: testDate(since[name], program.timezone) ?? now,
    })),
    ...newMemberState(_id, policies, now),
    processedAccruals: Number(fields.processedAccruals ?? 0),
    searchKeys: [],
  };
}

/** An id in this bucket; without one, always the same. */
function idWithBucket(bucket: unknown): ObjectId {
  for (let n = 0; ; n += 1) {
    const id = derivedId('scenario member', n);
    if (typeof bucket !== 'number' || memberBucket(id) === bucket) return id;
  }
}

/** The head of the family of the member: new, without points. Undefined when the member has none. */
export function scenarioHead({ familyHead }: Member, records: ProgramRecords, author: Author, now: Date) {
  if (!familyHead) return undefined;
  const head = bareMember({ loyaltyID: 'head of the family' }, records, author, now);
  return { ...head, ...scenarioTiers({}, records, now), _id: familyHead };
}

/** The levels that the test gives, in addition to those that every member has. */
function scenarioTiers(
  memberFields: Readonly<Record<string, unknown>>,
  { program, tierPolicies }: ProgramRecords,
  now: Date,
) {
  const { timezone } = program;
  const { fields } = grantFirstTiers(tierPolicies, timezone, now);
  if (!isPlainObject(memberFields.tier)) return fields;
  let book: MemberTiers = { ladders: fields.ladders ?? [], changes: [] };
  for (const policy of tierPolicies) {
    const level = policy.levels.find(({ name }) => name === Object(memberFields.tier)[policy.name]);
    if (!level) continue;
    const since = testDate(Object(memberFields.tierSince)[policy.name], timezone) ?? now;
    const input = { policy, timezone, now: since, enrolledAt: testDate(memberFields.enrolledAt, timezone) ?? now };
    const ladder = setLevel(emptyLadder({ policy }), { name: level.name, number: level.number }, input);
    book = withLadder(book, ladder, { policy, why: 'set' });
  }
  const nextDue = nextTierDue(book, tierPolicies);
  return {
    tiers: shownTiers(book, tierPolicies, []),
    ladders: book.ladders.map(storedLadder),
    ...(nextDue ? { nextDue } : {}),
  };
}
