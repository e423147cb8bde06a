import { ObjectId } from 'bson';
import { catchUpMs, postDueOccasions } from '#activities/dueOccasions/postDueOccasions';
import { collectionOf } from '#base/db/collections';
import { runFollowUps } from '#members/members/runFollowUps';
import type { OccasionType } from '#records/activities/occasion';
import { occasionSlotResource } from '#records/activities/occasionSlot';
import { segmentResource } from '#records/catalog/segment';
import { openAlongside } from '../../support/services';
import { addWorld, openWorld, type World, type WorldInput } from '../../support/world';
import { type Occasions, occasionRule, occasionsIn } from './occasionWorld';

let host: World;
let world: World;
let acting: Occasions;

beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

const scheduled = (type: OccasionType, schedule: object, fields = {}) =>
  occasionRule(type, 10, { schedule, ...fields });

/** Opens a world in Berlin at a moment, with the rules published then. */
async function open(now: string, rules: Record<string, unknown>[], fields: Omit<WorldInput, 'rules'> = {}) {
  world = await addWorld(host, { rules: [], program: { timezone: 'Europe/Berlin' }, ...fields });
  world.services.clock.set(now);
  await world.publish(rules);
  acting = occasionsIn(world);
}

/** Runs the job at a moment, and then processes what it posted. */
async function runAt(moment: string): Promise<number> {
  world.services.clock.set(moment);
  const { org, clock } = world.services;
  const { posted } = await postDueOccasions(world.services, { org: org._id, now: clock.now() });
  await acting.drain();
  return posted;
}

const dates = async (member: { _id: Parameters<Occasions['occasions']>[0] }) =>
  (await acting.occasions(member._id)).map(({ date }) => date.toISOString());

const monthly = { every: 'month', on: 1, at: '09:00' };

describe('a schedule', () => {
  test('posts once for each member, at its local time, also after a change of the clocks', async () => {
    await open('2026-02-27T00:00:00.000Z', [scheduled('Scheduled', monthly)]);
    const member = await world.addMember();
    expect(await runAt('2026-03-01T07:59:59.000Z')).toBe(0);
    expect(await runAt('2026-03-01T08:00:00.000Z')).toBe(1);
    expect(await runAt('2026-03-01T08:00:30.000Z')).toBe(0);
    expect(await runAt('2026-04-01T08:00:00.000Z')).toBe(1);
    expect(await dates(member)).toEqual(['2026-03-01T08:00:00.000Z', '2026-04-01T07:00:00.000Z']);
    const [first] = await acting.occasions(member._id);
    expect(first).toMatchObject({
      type: 'Scheduled',
      occasion: { schedule: 'every month on 1 at 09:00', on: '2026-03-01', depth: 1 },
      effects: { accrued: [{ points: 10 }] },
    });
    expect(await acting.balance(member._id)).toBe(20);
  });

  test('posts for the members of its segment, and for its own rules only', async () => {
    await open('2026-02-27T00:00:00.000Z', []);
    const admin = world.server.as('admin');
    const { body: segment } = await admin.post('/segments', { name: 'Guests', kind: 'static' });
    await admin.post('/segments', { name: 'Ann', kind: 'query', query: { firstName: 'Ann' } });
    await world.publish([
      scheduled('Scheduled', { ...monthly, segment: 'Guests' }, { key: 'guests' }),
      scheduled('Scheduled', { ...monthly, segment: 'Ann' }, { key: 'ann' }),
    ]);
    const guest = await world.addMember({ segments: [new ObjectId(String(segment._id))] });
    const ann = await world.addMember({ firstName: 'Ann' });
    const other = await world.addMember();
    expect(await runAt('2026-03-01T12:00:00.000Z')).toBe(2);
    expect([await acting.balance(guest._id), await acting.balance(ann._id), await acting.balance(other._id)]).toEqual([
      10, 10, 0,
    ]);
    const [history] = await acting.occasions(guest._id);
    const { body } = await world.server.as('client').get(`/activityhistories/${history?._id}/explain`);
    expect(body.ruleMatch).toMatchObject([
      { key: 'guests', fired: true },
      { key: 'ann', fired: false, failedCondition: { path: '$.occasion.schedule' } },
    ]);
  });

  test('does not stop the others when its segment cannot be read', async () => {
    await open('2026-02-27T00:00:00.000Z', []);
    await world.server.as('admin').post('/segments', { name: 'Ann', kind: 'query', query: { firstName: 'Ann' } });
    await world.publish([
      scheduled('Scheduled', { ...monthly, segment: 'Ann' }, { key: 'ann' }),
      scheduled('Scheduled', monthly, { key: 'everybody' }),
    ]);
    const { org, db } = world.services;
    const query = JSON.stringify({ noFieldOfMembers: 1 });
    await collectionOf(db, segmentResource).updateOne({ org: org._id, name: 'Ann' }, { $set: { query } });
    const member = await world.addMember();
    await expect(runAt('2026-03-01T12:00:00.000Z')).rejects.toThrow('noFieldOfMembers');
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(10);
  });

  test('posts a missed time later with its own date, for a week', async () => {
    await open('2026-03-01T00:00:00.000Z', [scheduled('Scheduled', { every: 'day', at: '12:00' })]);
    const member = await world.addMember();
    await runAt('2026-03-01T12:00:00.000Z');
    expect(await runAt('2026-03-04T12:00:00.000Z')).toBe(3);
    expect(await runAt('2026-03-20T12:00:00.000Z')).toBe(catchUpMs / 86_400_000);
    expect((await dates(member)).map((date) => date.slice(5, 13))).toEqual(
      ['01', '02', '03', '04', '14', '15', '16', '17', '18', '19', '20'].map((day) => `03-${day}T11`),
    );
  });

  test('begins when it is published, and again when it comes back', async () => {
    const daily = scheduled('Scheduled', { every: 'day', at: '12:00' });
    await open('2026-03-01T12:00:00.000Z', [daily]);
    const member = await world.addMember();
    await runAt('2026-03-02T12:00:00.000Z');
    await world.publish([{ ...daily, status: 'paused' }]);
    await runAt('2026-03-03T12:00:00.000Z');
    world.services.clock.set('2026-03-04T13:00:00.000Z');
    await world.publish([daily]);
    await runAt('2026-03-05T13:00:00.000Z');
    expect((await dates(member)).map((date) => date.slice(5, 10))).toEqual(['03-02', '03-05']);
  });

  test('posts nothing while no rule is effective, and nothing to members who joined later or are not active', async () => {
    const effective = { from: '2026-03-02', to: '2026-03-03' };
    await open('2026-03-01T00:00:00.000Z', [scheduled('Scheduled', { every: 'day', at: '12:00' }, { effective })]);
    const member = await world.addMember();
    const suspended = await world.addMember({ status: 'Suspended' });
    const erased = await world.addMember();
    await world.server.as('admin').send('DELETE', `/members/${erased._id}`);
    world.services.clock.set('2026-03-02T11:30:00.000Z');
    const late = await world.addMember();
    expect(await runAt('2026-03-06T00:00:00.000Z')).toBe(3);
    expect((await dates(member)).map((date) => date.slice(5, 10))).toEqual(['03-02', '03-03']);
    expect((await dates(late)).map((date) => date.slice(5, 10))).toEqual(['03-03']);
    expect([await dates(suspended), await dates(erased)]).toEqual([[], []]);
  });
});

describe('any number of runs', () => {
  test('by two workers at once post each occasion once', async () => {
    await open('2026-03-01T00:00:00.000Z', [scheduled('Scheduled', { every: 'day', at: '12:00' })]);
    const members = await Promise.all(Array.from({ length: 30 }, () => world.addMember()));
    world.services.clock.set('2026-03-03T12:00:00.000Z');
    const beside = await openAlongside(world.services);
    const scope = { org: world.services.org._id, now: world.services.clock.now() };
    const runs = [world.services, beside, world.services, beside].map((each) => postDueOccasions(each, scope));
    await Promise.all(runs);
    await beside.close();
    await acting.drain();
    for (const member of members) expect(await dates(member)).toHaveLength(3);
  });

  test('without their note of progress post nothing again', async () => {
    await open('2026-03-01T00:00:00.000Z', [scheduled('Scheduled', { every: 'day', at: '12:00' })]);
    const member = await world.addMember();
    await runAt('2026-03-03T12:00:00.000Z');
    const slots = collectionOf(world.services.db, occasionSlotResource);
    const before = await slots.findOneAndUpdate(
      { org: world.services.org._id },
      { $set: { doneUntil: new Date('2026-03-01T00:00:00.000Z') } },
    );
    expect(before?.doneUntil).toEqual(new Date('2026-03-03T11:00:00.000Z'));
    await runAt('2026-03-03T12:00:30.000Z');
    expect(await dates(member)).toHaveLength(3);
  });
});

describe('birthdays and anniversaries', () => {
  test.each([
    ['2026-02-27', []],
    ['2026-02-28', ['born 28', 'born 29']],
    ['2026-03-01', ['born 1']],
    ['2028-02-28', ['born 28']],
    ['2028-02-29', ['born 29']],
  ])('on %s post the birthday of %j', async (day, expected) => {
    await open(`${day}T00:00:00.000Z`, [scheduled('Birthday', { at: '10:00' })]);
    const born = { 'born 28': '1992-02-28', 'born 29': '1992-02-29', 'born 1': '1992-03-01' };
    const members = await Promise.all(
      Object.entries(born).map(([name, birthDate]) => world.addMember({ firstName: name, birthDate })),
    );
    world.services.clock.set(`${day}T08:00:00.000Z`);
    await runAt(`${day}T12:00:00.000Z`);
    const found = await Promise.all(members.map(({ _id }) => acting.occasions(_id)));
    const names = members.flatMap(({ firstName = '' }, n) => (found[n]?.length === 1 ? [firstName] : []));
    expect(names).toEqual(expected);
    const years = Number(day.slice(0, 4)) - 1992;
    for (const [history] of found) if (history) expect(history.occasion).toMatchObject({ on: day, years });
  });

  test('do not use the birth date of an erased member', async () => {
    await open('2026-12-03T00:00:00.000Z', [scheduled('Birthday', { at: '10:00' })]);
    const member = await world.addMember({ birthDate: '1990-12-04' });
    await runAt('2026-12-04T12:00:00.000Z');
    expect((await acting.occasions(member._id))[0]?.occasion).toMatchObject({ on: '2026-12-04', years: 36 });
    const gone = await world.server.as('admin').delete(`/members/${member._id}`);
    expect(gone.status).toBe(204);
    await runFollowUps(world.services.db, world.services.org._id, world.services.clock.now());
    const [history] = await acting.occasions(member._id);
    expect(history?.occasion).toEqual({ schedule: expect.any(String), depth: 1 });
  });

  test('come the configured days before in the time zone of the program, and not in the first year', async () => {
    await open('2026-12-20T00:00:00.000Z', [
      scheduled('Birthday', { daysBefore: 7 }, { key: 'soon' }),
      occasionRule('Anniversary', 1),
    ]);
    // In Berlin it is 28 December already.
    const member = await world.addMember({ birthDate: '1990-01-04', enrolledAt: new Date('2020-12-27T23:30:00.000Z') });
    const fresh = await world.addMember({ birthDate: '1990-01-05', enrolledAt: new Date('2026-12-28T10:00:00.000Z') });
    await runAt('2026-12-27T22:59:59.000Z');
    expect(await acting.occasions(member._id, 'Anniversary')).toEqual([]);
    await runAt('2026-12-29T00:00:00.000Z');
    const actual = (await acting.occasions(member._id)).map(({ type, occasion }) => [
      type,
      occasion?.on,
      occasion?.years,
    ]);
    expect(actual).toEqual(
      expect.arrayContaining([
        ['Birthday', '2027-01-04', 37],
        ['Anniversary', '2026-12-28', 6],
      ]),
    );
    expect(actual).toHaveLength(2);
    expect((await acting.occasions(fresh._id)).map(({ type }) => type)).toEqual(['Birthday']);
    expect(await acting.balance(member._id)).toBe(11);
  });
});

describe('one birthday and one anniversary a year', () => {
  const years = async (member: Parameters<typeof dates>[0]) => (await dates(member)).map((date) => date.slice(0, 10));
  const dayOf = (n: number) => `2026-06-${String(n).padStart(2, '0')}`;

  test.each([
    ['Birthday', (on: string) => ({ birthDate: `1990${on.slice(4)}` })],
    ['Anniversary', (on: string) => ({ enrolledAt: `2020${on.slice(4)}T10:00:00.000Z` })],
  ] as const)('%s: whatever its date is changed to', async (type, fieldsOn) => {
    await open('2026-06-01T00:00:00.000Z', [scheduled(type, { at: '10:00' })]);
    const member = await world.addMember();
    for (const day of [3, 5, 9]) {
      const changed = await world.server.as('client').patch(`/members/${member._id}`, fieldsOn(dayOf(day)));
      expect(changed.status).toBe(200);
      await runAt(`${dayOf(day)}T12:00:00.000Z`);
    }
    world.services.clock.set('2027-06-08T00:00:00.000Z');
    await runAt('2027-06-09T12:00:00.000Z');
    expect(await years(member)).toEqual(['2026-06-03', '2027-06-09']);
  });

  test('is not posted again for the survivor of a merge', async () => {
    await open('2026-06-01T00:00:00.000Z', [scheduled('Birthday', { at: '10:00' })]);
    const merged = await world.addMember({ birthDate: '1990-06-03' });
    const survivor = await world.addMember({ birthDate: '1990-06-05' });
    await runAt('2026-06-03T12:00:00.000Z');
    await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
    await runFollowUps(world.services.db, world.services.org._id, world.services.clock.now());
    await runAt('2026-06-05T12:00:00.000Z');
    expect(await years(survivor)).toEqual(['2026-06-03']);
    await runAt('2027-06-05T12:00:00.000Z');
    expect(await years(survivor)).toEqual(['2026-06-03', '2027-06-05']);
  });
});

test('points about to expire are announced for each day and purse, as far as they can be spent', async () => {
  const earn = (purse: string, type: string) => ({
    key: `earn-${purse}`,
    name: purse,
    activityTypes: [type],
    actions: [{ type: 'addPoints', purse, points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
  });
  await open(
    '2026-03-01T00:00:00.000Z',
    [
      earn('Points', 'Accrual'),
      earn('Miles', 'Adjustment'),
      scheduled('PointsExpiring', { daysBefore: 14, at: '09:00' }),
    ],
    {
      policies: [
        { expiry: { type: 'rolling', value: 30, unit: 'day' } },
        { name: 'Miles', expiry: { type: 'inactivity', value: 40, unit: 'day' } },
      ],
    },
  );
  const member = await world.addMember();
  const none = await world.addMember();
  await acting.processed('Accrual', member._id, { value: 40, date: '2026-03-01T01:00:00.000Z' });
  await acting.processed('Accrual', member._id, { value: 3, date: '2026-03-01T20:00:00.000Z' });
  // These expire at the first instant of the next day in Berlin.
  await acting.processed('Accrual', member._id, { value: 500, date: '2026-03-01T23:00:00.000Z' });
  await acting.processed('Adjustment', member._id, { value: 70, date: '2026-03-01T01:00:00.000Z' });
  await runAt('2026-03-18T12:00:00.000Z');
  await runAt('2026-03-29T12:00:00.000Z');
  const actual = (await acting.occasions(member._id)).map(({ occasion }) => occasion);
  expect(actual).toMatchObject([
    { purse: 'Points', points: 43, on: '2026-03-31' },
    { purse: 'Points', points: 500, on: '2026-04-01' },
    { purse: 'Miles', points: 70, on: '2026-04-11' },
  ]);
  expect(await acting.occasions(none._id)).toEqual([]);
});
