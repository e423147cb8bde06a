import { ObjectId } from 'bson';
import { inTransaction } from '#base/db/transaction';
import { forgetEvents } from '#platform/events/forgetEvents';
import { numberEvents } from '#platform/events/numberEvents';
import { readEvents } from '#platform/events/readEvents';
import { writeEvents } from '#platform/events/writeEvents';
import type { StoredEvent } from '#records/events/event';
import { addOrg, openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** An org whose events a test stores itself. */
async function newOrg() {
  const own = await addOrg(server);
  const { db, clock, org, users } = own.services;
  const author = { org: org._id, userId: users.admin.principal.userId };
  const number = () => numberEvents(own.services, clock.now());
  return {
    own,
    number,
    store: (events: StoredEvent[]) =>
      inTransaction(db, (session) => writeEvents(db, session, author, clock.now(), events)),
    read: async (args = '', role: 'reader' | 'client' = 'reader') => {
      const { status, body } = await own.as(role).get(`/events?${args}`);
      return { status, body, ids: (body.events ?? []).map(({ id }: { id: string }) => Number(id)) };
    },
  };
}

const created = (member: ObjectId, program = new ObjectId()): StoredEvent => ({
  type: 'member.created',
  program,
  member,
  data: { status: 'Active', enrolledAt: new Date(0) },
});
const published: StoredEvent = { type: 'ruleset.published', data: { version: 1, rules: 0 } };
const many = (count: number, event: StoredEvent = published) => Array.from({ length: count }, () => event);

test('an org without events answers an id from which a reader can continue', async () => {
  const org = await newOrg();
  const empty = await org.read();
  expect(empty.body).toEqual({ events: [], next: '0000000000000000' });
  await org.store(many(2));
  await org.number();
  expect((await org.read(`after=${empty.body.next}`)).ids).toEqual([1, 2]);
});

test('ids are 1, 2, 3 … in each org, 100 events are the default, and `next` goes on without a gap', async () => {
  const org = await newOrg();
  for (const size of [60, 1, 1500]) await org.store(many(size));
  const waiting = await org.read();
  expect(waiting.ids).toEqual([]);
  expect(await org.number()).toBe(1561);
  const first = await org.read();
  expect(first.ids).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  expect(first.body.next).toBe('0000000000000100');
  const second = await org.read(`after=${first.body.next}&limit=1000`);
  const third = await org.read(`after=${second.body.next}&limit=1000`);
  expect([...first.ids, ...second.ids, ...third.ids]).toEqual(Array.from({ length: 1561 }, (_, n) => n + 1));
  expect((await org.read(`after=${third.body.next}`)).body).toEqual({ events: [], next: third.body.next });
  expect(await org.number()).toBe(0);
});

test('events are filtered by types, program and member, and `next` moves past all others', async () => {
  const org = await newOrg();
  const [member, program] = [new ObjectId(), new ObjectId()];
  await org.store([published, created(member, program), created(new ObjectId(), program), published]);
  await org.store(many(300));
  await org.store([created(member, program)]);
  await org.number();
  expect((await org.read('types=member.created')).ids).toEqual([2, 3, 305]);
  expect((await org.read(`member=${member}`)).ids).toEqual([2, 305]);
  expect((await org.read(`program=${program}&limit=1`)).body.next).toBe('0000000000000002');
  expect((await org.read(`program=${program}&after=0000000000000002`)).ids).toEqual([3, 305]);
  expect((await org.read(`types=member.created,ruleset.published&member=${member}`)).ids).toEqual([2, 305]);
  expect((await org.read('types=member.created&types=tier.changed')).ids).toEqual([2, 3, 305]);
  const none = await org.read(`types=tier.changed&member=${member}`);
  expect([none.ids, none.body.next]).toEqual([[], '0000000000000305']);
});

test('a read checks a limited number of events, and says up to which', async () => {
  const org = await newOrg();
  const member = new ObjectId();
  const page = [created(member), ...many(999)];
  for (let n = 0; n < 22; n += 1) await org.store(page);
  await org.number();
  const first = await org.read(`member=${member}&limit=100`);
  expect(first.ids).toHaveLength(20);
  expect(first.body.next).toBe('0000000000020000');
  expect((await org.read(`member=${member}&after=${first.body.next}`)).ids).toEqual([20_001, 21_001]);
});

test.each([
  ['after', 'x', /after must be the id/],
  ['after', '1', /after must be the id/],
  ['after', '-000000000000001', /after must be the id/],
  ['after', '0000000000000002', /after must be the id/],
  ['after', '9'.repeat(400), /after must be the id/],
  ['types', 'member.created,nothing', /"nothing" is no type of event; there are activity\.processed, /],
  ['types', '', /there are activity\.processed, /],
  ['types', 'constructor', /there are/],
  ['limit', '0', /limit must be a whole number from 1 to 1000/],
  ['limit', '1001', /limit must be/],
  ['limit', '1.5', /limit must be/],
  ['limit', '1e2', /limit must be/],
  ['member', 'ada', /member must be 24 hexadecimal/],
  ['program', '$ne', /program must be 24 hexadecimal/],
  ['query', '{}', /not known/],
])('the argument %s=%s is refused', async (name, value, message) => {
  const org = await newOrg();
  await org.store([published]);
  await org.number();
  const { status, body } = await org.read(`${name}=${encodeURIComponent(value)}`);
  expect({ status, body }).toBeRefused(400, 1210);
  expect(body.message).toMatch(message);
});

test('every role reads events of its own org, and nobody without a token', async () => {
  const [one, other] = [await newOrg(), await newOrg()];
  await one.store(many(3));
  await one.number();
  expect((await one.read('', 'client')).ids).toEqual([1, 2, 3]);
  expect((await other.read()).ids).toEqual([]);
  expect((await other.read('after=0000000000000003')).status).toBe(400);
  const { status } = await fetch(`${one.own.url}/api/v1/events`);
  expect(status).toBe(401);
});

describe('retention', () => {
  const hour = 3_600_000;
  const day = 24 * hour;

  test('deletes events from the smallest id on, and refuses a reader of deleted ones', async () => {
    const org = await newOrg();
    const { db, clock, config } = org.own.services;
    const scope = () => ({ org: org.own.services.org._id, now: clock.now() });
    const forget = (RETAIN_EVENTS: number) => forgetEvents({ db, config: { ...config, RETAIN_EVENTS } }, scope());
    await org.store(many(5));
    await org.number();
    clock.advance(20 * day);
    await org.store(many(4));
    await org.number();
    clock.advance(10 * day - hour);
    expect(await forget(30)).toEqual({ events: 0 });
    clock.advance(2 * hour);
    expect(await forget(0)).toEqual({ events: 0 });
    expect(await forget(30)).toEqual({ events: 5 });
    expect((await org.read()).ids).toEqual([6, 7, 8, 9]);
    expect((await org.read('after=0000000000000005')).ids).toEqual([6, 7, 8, 9]);
    const gone = await org.read('after=0000000000000004');
    expect(gone).toBeRefused(410, 1510);
    expect(gone.body.message).toMatch(/leave `after` out/);
    await org.store(many(1));
    clock.advance(31 * day);
    // What has no id yet is not old, however long it waits.
    expect(await forget(30)).toEqual({ events: 4 });
    const last = await org.read('after=0000000000000009');
    expect(last.body).toEqual({ events: [], next: '0000000000000009' });
    expect((await org.read('after=0000000000000008')).status).toBe(410);
    await org.number();
    expect((await org.read('after=0000000000000009')).ids).toEqual([10]);
  });

  test('leaves no gap after a clock went back: events after a kept event are kept too', async () => {
    const org = await newOrg();
    const { db, clock, config } = org.own.services;
    await org.store(many(1));
    await org.number();
    clock.advance(-20 * day);
    await org.store(many(1));
    await org.number();
    clock.advance(35 * day);
    const scope = { org: org.own.services.org._id, now: clock.now() };
    expect(await forgetEvents({ db, config: { ...config, RETAIN_EVENTS: 30 } }, scope)).toEqual({ events: 0 });
    expect((await org.read()).ids).toEqual([1, 2]);
  });
});

test('reads of events use the indexes and do not sort', async () => {
  const org = await newOrg();
  const { db } = org.own.services;
  for (let n = 0; n < 30; n += 1) await org.store([created(new ObjectId()), published]);
  await org.number();
  const last = { org: org.own.services.org._id, last: { $gt: 5 } };
  const stages = async (filter: object, hint: Record<string, 1>) => {
    const plan = await db.collection('eventpages').find(filter).hint(hint).sort({ last: 1 }).explain('queryPlanner');
    return JSON.stringify(plan);
  };
  const plain = await stages(last, { org: 1, last: 1 });
  const some = await stages(
    { ...last, about: { $in: ['member.created', 'ruleset.published'] } },
    { org: 1, about: 1, last: 1 },
  );
  for (const plan of [plain, some]) {
    expect(plan).toMatch(/IXSCAN/);
    expect(plan).not.toMatch(/COLLSCAN|"stage":"SORT"/);
  }
});

test('the read function gives the same events to other parts of the service', async () => {
  const org = await newOrg();
  await org.store([published, created(new ObjectId())]);
  await org.number();
  const { db, org: owner } = org.own.services;
  const { events, next } = await readEvents(db, owner._id, {
    after: '0000000000000001',
    types: ['member.created'],
    limit: 10,
  });
  expect(events.map(({ id, type }) => [id, type])).toEqual([['0000000000000002', 'member.created']]);
  expect(next).toBe('0000000000000002');
});
