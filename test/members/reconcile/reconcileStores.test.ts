import assert from 'node:assert';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { runCommand } from '#commands/base/runCommand';
import { reconcileCommand } from '#commands/reconcile';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import type { Mismatch } from '#members/reconcile/checkInvariants';
import { reconcile } from '#members/reconcile/reconcile';
import { type Member, memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import type { Client } from '../../support/client';
import { scaled } from '../../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let api: Client;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  api = world.server.as('client');
  // Most of these tests delete records, which the service never does, so the counts would be wrong.
  await world.services.db.collection('recordcounts').deleteMany({});
});

afterAll(() => world.close());

const members = () => collectionOf(world.services.db, memberResource);
const lots = () => collectionOf(world.services.db, accrualItemResource);
const entries = () => collectionOf(world.services.db, journalResource);

const post = (member: Member, type: string, value: number) =>
  api.post('/activity', { type, loyaltyID: member.loyaltyID, value });

/** Makes a member with two lots, one of them partly burned. */
async function activeMember(): Promise<Member> {
  const member = await world.addMember();
  await post(member, 'Accrual', 100);
  await post(member, 'Accrual', 50);
  await post(member, 'Redemption', 30);
  return member;
}

async function found(): Promise<Mismatch[]> {
  const mismatches: Mismatch[] = [];
  const result = await reconcile(world.services, { onMismatch: (mismatch) => mismatches.push(mismatch) });
  expect(result.mismatches).toBe(mismatches.length);
  return mismatches;
}

/** Runs `work`, then restores the member's records, so that each test has only its own corruption. */
async function restoring<T>(member: Member, work: () => Promise<T>): Promise<T> {
  const ofMember = { member: member._id };
  const before = {
    member: await members().findOne({ _id: member._id }),
    lots: await lots().find(ofMember).toArray(),
    entries: await entries().find(ofMember).toArray(),
  };
  try {
    return await work();
  } finally {
    if (before.member) await members().replaceOne({ _id: member._id }, before.member);
    await lots().deleteMany(ofMember);
    await lots().insertMany(before.lots);
    await entries().deleteMany(ofMember);
    await entries().insertMany(before.entries);
  }
}

describe('reconcile', () => {
  test('finds nothing in agreeing stores, and counts the members of every page', async () => {
    await Promise.all(Array.from({ length: 5 }, activeMember));
    await Promise.all(Array.from({ length: 120 }, () => world.addMember()));

    const result = await reconcile(world.services);

    expect(result).toEqual({ members: await members().countDocuments(), mismatches: 0 });
  });

  const corruptions: [string, (member: Member) => Promise<unknown>][] = [
    ['an edited balance', ({ _id }) => members().updateOne({ _id }, { $inc: { 'purses.0.balance': 1 } })],
    ['edited spendable points', ({ _id }) => members().updateOne({ _id }, { $inc: { 'purses.0.availBalance': 1 } })],
    ['an edited debt', ({ _id }) => members().updateOne({ _id }, { $inc: { 'purses.0.debt': 1 } })],
    ['a lost purse', ({ _id }) => members().updateOne({ _id }, { $set: { purses: [] } })],
    ['an edited seq of the member', ({ _id }) => members().updateOne({ _id }, { $inc: { seq: 1 } })],
    ['a deleted first entry', ({ _id }) => entries().deleteOne({ member: _id, seq: 1 })],
    ['a deleted last entry', ({ _id }) => entries().deleteOne({ member: _id, seq: 3 })],
    ['a doubled entry', ({ _id }) => doubleEntry(_id)],
    ['a broken seq', ({ _id }) => entries().updateOne({ member: _id, seq: 3 }, { $set: { seq: 9 } })],
    ['an edited entry', ({ _id }) => entries().updateOne({ member: _id, seq: 2 }, { $inc: { available: 1 } })],
    [
      'an edited running balance',
      ({ _id }) => entries().updateOne({ member: _id, seq: 2 }, { $inc: { availAfter: 1 } }),
    ],
    ['an edited lot', ({ _id }) => lots().updateOne({ member: _id }, { $inc: { availablePoints: 1 } })],
    ['a deleted lot', ({ _id }) => lots().deleteOne({ member: _id })],
    ['a lot that no entry made', ({ _id }) => doubleLot(_id)],
  ];

  const intact = new Map<string, Member>();
  beforeAll(async () => {
    await Promise.all(corruptions.map(async ([name]) => intact.set(name, await activeMember())));
  });

  test.each(corruptions)('finds %s and names the member', async (name, corrupt) => {
    const member = intact.get(name);
    assert(member);

    const mismatches = await restoring(member, async () => {
      await corrupt(member);
      return found();
    });

    expect(mismatches.length).toBeGreaterThan(0);
    for (const mismatch of mismatches) expect(mismatch.member).toEqual(member._id);
  });

  test('finds an org whose counts are higher than its records', async () => {
    const member = await activeMember();
    await rollUp(world.services, { org: world.author.org, now: new Date() });
    expect(await found()).toEqual([]);

    const mismatches = await restoring(member, async () => {
      await world.services.db.collection('recordcounts').updateOne({ path: 'journal' }, { $inc: { count: 1 } });
      return found();
    });

    const all = await entries().countDocuments();
    const remedy = 'delete its documents in recordcounts, and it is counted anew';
    expect(mismatches).toEqual([
      { message: `Org ${world.author.org} has ${all} records in journal, but ${all + 1} are counted; ${remedy}` },
    ]);
    await world.services.db.collection('recordcounts').deleteMany({});
  });

  test('finds lots and entries of a member that does not exist', async () => {
    const { _id } = await activeMember();
    const nobody = new ObjectId();
    const lot = await lots().findOne({ member: _id });
    if (lot) await lots().insertOne({ ...lot, _id: new ObjectId(), member: nobody });

    const mismatches = await found();

    expect(mismatches).toMatchObject([{ member: nobody }]);
    await lots().deleteOne({ member: nobody });
  });

  test('raises no false alarm while activities are posted', async () => {
    const busy = await Promise.all(Array.from({ length: 4 }, activeMember));
    let isPosting = true;
    const posting = busy.map(async (member) => {
      for (let n = 0; isPosting; n += 1) await post(member, n % 3 === 2 ? 'Redemption' : 'Accrual', 10 + n);
    });

    const rounds = [];
    for (let round = 0; round < scaled(10); round += 1) rounds.push(await found());
    isPosting = false;
    await Promise.all(posting);

    expect(rounds.flat()).toEqual([]);
    expect(await found()).toEqual([]);
  });
});

describe('npm run reconcile', () => {
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const output: string[] = [];
    const streams = {
      input: process.stdin,
      out: (line: string) => lines.push(line),
      err: (line: string) => output.push(line),
    };
    const code = await runCommand(reconcileCommand(world.services.config, streams), args, streams);
    return { code, lines, said: output };
  };

  test('exits with 0 when everything agrees, also for one org', async () => {
    const all = await run();
    const one = await run('--org', world.services.org.code);

    for (const { code, lines, said: output } of [all, one]) {
      expect({ code, lines }).toEqual({ code: 0, lines: [] });
      expect(output.at(-1)).toMatch(/^\d+ members checked, 0 mismatches$/);
    }
  });

  test('exits with 1 and names each mismatch in a line', async () => {
    const member = await activeMember();

    const { code, lines } = await restoring(member, async () => {
      await members().updateOne({ _id: member._id }, { $inc: { 'purses.0.balance': 1 } });
      return run();
    });

    expect(code).toBe(1);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain(member._id.toHexString());
  });

  test('says what is wrong when it cannot run', async () => {
    expect(await run('--org', 'nobody')).toEqual({ code: 1, lines: [], said: ['There is no org nobody'] });
  });
});

async function doubleEntry(member: ObjectId): Promise<void> {
  const entry = await entries().findOne({ member, seq: 3 });
  if (entry) await entries().insertOne({ ...entry, _id: new ObjectId(), seq: 4 });
}

async function doubleLot(member: ObjectId): Promise<void> {
  const lot = await lots().findOne({ member });
  if (lot) await lots().insertOne({ ...lot, _id: new ObjectId() });
}
