import { makeTierPolicy } from '../../support/definitions';
import { tierWorlds } from './tierWorld';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

const years = {
  downgrade: 'one' as const,
  expiry: { value: 1, unit: 'year' as const, snap: 'endOfYear' as const },
  lateClaims: 'counted' as const,
};
const clock = () => at.world.services.clock;
const shown = async (id: Parameters<typeof at.tiered.stored>[0]) =>
  ((await at.tiered.stored(id))?.tiers ?? []).map(({ level, expiresOn }) => [level.name, expiresOn?.toISOString()]);
const end = (year: number) => `${year + 1}-01-01T00:00:00.000Z`;

describe('a status year', () => {
  it('lasts until the end of the next year, is renewed by last year, and lands softly', async () => {
    await at.open(years);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1000);
    expect(await shown(member._id)).toEqual([['Gold', end(2027)]]);
    clock().set('2027-12-31T23:59:59.999Z');
    await at.tiered.post(member, 1000);
    expect(await shown(member._id)).toEqual([['Gold', end(2027)]]);
    clock().set(end(2027));
    await at.tiered.runTimer();
    expect(await shown(member._id)).toEqual([['Gold', end(2028)]]);
    for (const [year, left] of [
      [2028, [['Silver', end(2029)]]],
      [2029, [['Bronze', end(2030)]]],
      [2030, []],
    ] as const) {
      clock().set(end(year));
      await at.tiered.runTimer();
      expect(await shown(member._id)).toEqual(left);
    }
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('with a grace is renewed by the year that reaches it in the grace', async () => {
    await at.open({ ...years, grace: { value: 3, unit: 'month' } });
    const member = await at.world.addMember();
    await at.tiered.post(member, 300);
    clock().set('2028-02-01T00:00:00.000Z');
    await at.tiered.runTimer();
    expect(await shown(member._id)).toEqual([['Silver', end(2027)]]);
    await at.tiered.post(member, 300);
    expect(await shown(member._id)).toEqual([['Silver', end(2029)]]);
  });
});

describe('a late activity', () => {
  it('gives the level of the year flown, until its end, and a cancel takes it back', async () => {
    await at.open(years);
    const member = await at.world.addMember();
    await at.tiered.post(member, 200);
    clock().set('2027-01-10T12:00:00.000Z');
    const { result, member: answered } = await at.tiered.post(member, 100, { date: '2026-12-30T12:00:00.000Z' });
    expect(answered.tiers).toMatchObject([{ level: { name: 'Silver' }, expiresOn: end(2027) }]);
    await at.tiered.cancel(result.data.activityId);
    expect(await shown(member._id)).toEqual([['Bronze', end(2027)]]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('gives nothing when its term has ended, but the landing after it', async () => {
    await at.open(years);
    const [one, two] = [await at.world.addMember(), await at.world.addMember()];
    clock().set('2028-03-01T12:00:00.000Z');
    await at.tiered.post(one, 100, { date: '2026-12-30T12:00:00.000Z' });
    await at.tiered.post(two, 1000, { date: '2026-12-30T12:00:00.000Z' });
    expect([await shown(one._id), await shown(two._id)]).toEqual([[], [['Silver', end(2028)]]]);
  });

  it('changes nothing unless the policy counts late claims', async () => {
    await at.open({ ...years, lateClaims: 'ignored' });
    const member = await at.world.addMember();
    clock().set('2027-01-10T12:00:00.000Z');
    await at.tiered.post(member, 1000, { date: '2026-12-30T12:00:00.000Z' });
    expect(await shown(member._id)).toEqual([]);
  });

  it('belongs to the year of its day in the time zone, in the last millisecond and in the first', async () => {
    await at.open(years);
    const [before, after] = [await at.world.addMember(), await at.world.addMember()];
    clock().set('2027-01-10T12:00:00.000Z');
    await at.tiered.post(before, 300, { date: '2026-12-31T23:59:59.999Z' });
    await at.tiered.post(after, 300, { date: '2027-01-01T00:00:00.000Z' });
    expect([await shown(before._id), await shown(after._id)]).toEqual([
      [['Silver', end(2027)]],
      [['Silver', end(2028)]],
    ]);
  });
});

describe('a lifetime level', () => {
  it('never lapses after so many years, to the day', async () => {
    const [bronze, silver, gold] = [
      { name: 'Bronze', number: 1, threshold: 100 },
      { name: 'Silver', number: 2, threshold: 300, lifetime: { years: 2 } },
      { name: 'Gold', number: 3, threshold: 1000 },
    ];
    await at.open({ ...years, downgrade: 'full', levels: [bronze, silver, gold] });
    const member = await at.world.addMember();
    await at.tiered.post(member, 1000);
    clock().set('2027-06-01T00:00:00.000Z');
    await at.tiered.post(member, 400);
    clock().set('2028-11-21T11:59:59.999Z');
    await at.tiered.runTimer();
    expect(await shown(member._id)).toEqual([['Silver', end(2028)]]);
    clock().set('2028-11-21T12:00:00.000Z');
    await at.tiered.runTimer();
    expect(await shown(member._id)).toEqual([['Silver', undefined]]);
    clock().set(end(2040));
    await at.tiered.runTimer();
    expect(await shown(member._id)).toEqual([['Silver', undefined]]);
    expect((await at.tiered.whys(member._id)).map(([why]) => why)).toEqual(['reached', 'downgraded', 'lifetime']);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('is given by a lifetime sum, to both members of a merge together, and taken back by a cancel', async () => {
    const lifetime = { metric: 'spend', atLeast: 500 };
    await at.open({ ...years, levels: [{ name: 'Gold', number: 1, threshold: 1000, lifetime }] });
    const [member, other] = [await at.world.addMember(), await at.world.addMember()];
    await at.tiered.post(member, 250);
    await at.tiered.post(other, 249);
    const admin = at.world.server.as('admin');
    await admin.post(`/members/${member._id}/merge`, { memberIds: [other._id.toHexString()] });
    expect(await shown(member._id)).toEqual([]);
    const { result } = await at.tiered.post(member, 1);
    expect(await shown(member._id)).toEqual([['Gold', undefined]]);
    await at.tiered.cancel(result.data.activityId);
    expect(await shown(member._id)).toEqual([]);
  });
});

it('ends of the longest terms are dates that the service accepts', async () => {
  const longest = { value: 3650, unit: 'year' as const, snap: 'endOfYear' as const };
  const grant = {
    key: 'grant',
    name: 'Grant',
    activityTypes: ['Adjustment'],
    actions: [{ type: 'setTier', policy: 'Status', level: 'Gold', for: longest }],
  };
  await at.open({ downgrade: 'one', expiry: longest, grace: { value: 3650, unit: 'year' } }, [grant]);
  const member = await at.world.addMember();
  await at.tiered.post(member, 300);
  for (const expected of [
    ['Silver', end(5676)],
    ['Gold', end(5676)],
  ] as const) {
    expect(await shown(member._id)).toEqual([expected]);
    const admin = at.world.server.as('admin');
    for (const path of [`/members/${member._id}`, `/tierpolicies/${at.tiered.policy._id}`]) {
      const { body } = await admin.get(path);
      expect((await admin.put(path, body)).status).toBe(200);
    }
    await at.tiered.post(member, 0, { type: 'Adjustment' });
  }
});

it('several ladders of a program move independently', async () => {
  await at.open(years);
  const { world } = at;
  const levels = [{ name: 'Regular', number: 1, threshold: 2 }];
  const basis = { metric: 'visits', period: 'month' as const };
  const monthly = { expiry: { value: 0, unit: 'month' as const, snap: 'endOfMonth' as const } };
  await makeTierPolicy(world.services.db, world.author, world.program, { ...monthly, name: 'Visits', levels, basis });
  const member = await world.addMember();
  await at.tiered.post(member, 150);
  await at.tiered.post(member, 150);
  const both = async () => (await shown(member._id)).sort();
  expect(await both()).toEqual([
    ['Regular', '2026-12-01T00:00:00.000Z'],
    ['Silver', end(2027)],
  ]);
  clock().set('2026-12-01T00:00:00.000Z');
  await at.tiered.runTimer();
  expect(await both()).toEqual([['Silver', end(2027)]]);
});
