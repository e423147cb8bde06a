import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { earnRule } from '../../support/world';
import { tierWorlds } from './tierWorld';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

/** A rule that gives a level when a Referral with this `ext.give` is posted. */
const giving = (key: string, level: string, time: Record<string, unknown>) => ({
  key,
  name: key,
  activityTypes: ['Referral'],
  priority: 20,
  conditions: { all: [{ fact: 'activity', path: '$.ext.give', operator: 'equal', value: key }] },
  actions: [{ type: 'setTier', policy: 'Status', level, ...time }],
});

const trip = { key: 'trip', name: 'A trip', activityTypes: ['Accrual'], priority: 2 };
const trips = { ...trip, actions: [{ type: 'addMetric', metric: 'trips', value: 1 }] };
const challenge = { for: { value: 90, unit: 'day' }, keep: { metric: 'trips', atLeast: 3 } };
const rules = [
  earnRule,
  trips,
  giving('days', 'Gold', { for: { value: 90, unit: 'day' } }),
  giving('year', 'Silver', { for: { value: 1, unit: 'year', snap: 'endOfYear' } }),
  giving('date', 'Gold', { until: '2028-02-29' }),
  giving('past', 'Gold', { until: '2026-11-20' }),
  giving('member', 'Gold', { for: { value: 0, unit: 'day', snap: 'endOfMemberYear' } }),
  giving('match', 'Gold', challenge),
  giving('lower', 'Bronze', {}),
];

const give = (member: Parameters<typeof at.tiered.post>[0], key: string, more = {}) =>
  at.tiered.post(member, 0, { type: 'Referral', ext: { give: key }, ...more });
const clock = () => at.world.services.clock;
const shown = async (id: Parameters<typeof at.tiered.stored>[0]) => (await at.tiered.stored(id))?.tiers ?? [];

describe('a level for a time', () => {
  it('is shown with its end, and lapses at this millisecond to the level of the ladder', async () => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    await at.tiered.post(member, 300);
    const { member: answered, result } = await give(member, 'days');
    const end = '2027-02-19T12:00:00.000Z';
    expect(answered.tiers).toMatchObject([{ level: { name: 'Gold' }, expiresOn: end }]);
    expect(result.log[0]).toMatchObject({ action: 'setTier', results: { level: 'Gold', expiresOn: end } });
    clock().set(new Date(Date.parse(end) - 1).toISOString());
    await at.tiered.runTimer();
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
    clock().set(end);
    const { body } = await at.tiered.runTimer();
    expect([body.error, body.counts.tiers]).toEqual([null, 1]);
    expect(await shown(member._id)).toMatchObject([
      { level: { name: 'Silver' }, since: new Date('2026-11-21T12:00:00.000Z') },
    ]);
    expect(await at.tiered.whys(member._id)).toEqual([
      ['reached', undefined, 'Silver'],
      ['set', 'Silver', 'Gold'],
      ['downgraded', 'Gold', 'Silver'],
    ]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it.each([
    ['year', 'Silver', '2028-01-01T00:00:00.000Z'],
    ['date', 'Gold', '2028-03-01T00:00:00.000Z'],
    ['member', 'Gold', '2027-11-21T00:00:00.000Z'],
  ])('of the rule %s is %s until %s', async (key, level, end) => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    const { member: answered } = await give(member, key);
    expect(answered.tiers).toMatchObject([{ level: { name: level }, expiresOn: end }]);
    clock().set(end);
    const { member: after } = await at.tiered.post(member, 10);
    expect(after.tiers).toEqual([]);
  });

  it('counts from the date of the activity, and gives nothing when its time is over', async () => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    await give(member, 'past');
    await give(member, 'days', { date: '2026-08-01T00:00:00.000Z' });
    expect(await shown(member._id)).toEqual([]);
    await give(member, 'days', { date: '2026-09-01T00:00:00.000Z' });
    expect(await shown(member._id)).toMatchObject([{ expiresOn: new Date('2026-11-30T00:00:00.000Z') }]);
  });

  it('never lowers a member; a level set without a time ends it', async () => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1000);
    await give(member, 'year');
    expect(await shown(member._id)).toMatchObject([{ level: { name: 'Gold' } }]);
    await give(member, 'lower');
    expect(await shown(member._id)).toMatchObject([{ level: { name: 'Bronze' } }]);
    clock().set('2028-01-01T00:00:00.000Z');
    await at.tiered.runTimer();
    expect(await shown(member._id)).toMatchObject([{ level: { name: 'Bronze' } }]);
  });

  it('stays after a cancel, and a level that the metric reached beneath it stays when it ends', async () => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    const { result } = await give(member, 'days');
    await at.tiered.cancel(result.data.activityId);
    await at.tiered.post(member, 400);
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
    clock().set('2027-02-19T12:00:00.000Z');
    await at.tiered.runTimer();
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
  });
});

describe('a challenge', () => {
  it('counts from the day of the grant on, shows its progress, and keeps the level', async () => {
    await at.open({ expiry: { value: 1, unit: 'year' } }, rules);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1, { date: '2026-11-20T23:59:59.999Z' });
    await at.tiered.post(member, 1, { date: '2026-11-21T00:00:00.000Z' });
    await give(member, 'match');
    const keep = { metric: 'trips', atLeast: 3 };
    expect(await shown(member._id)).toMatchObject([{ level: { name: 'Gold' }, keep: { ...keep, counted: 1 } }]);
    clock().set('2027-01-10T12:00:00.000Z');
    expect((await at.tiered.post(member, 1)).member.tiers).toMatchObject([{ keep: { ...keep, counted: 2 } }]);
    await give(member, 'match');
    expect((await at.tiered.post(member, 1)).member.tiers).toEqual([
      expect.objectContaining({ since: '2026-11-21T12:00:00.000Z', expiresOn: '2028-01-10T12:00:00.000Z' }),
    ]);
    expect((await shown(member._id))[0]).not.toHaveProperty('keep');
    expect((await at.tiered.whys(member._id)).map(([why]) => why)).toEqual(['set', 'kept']);
  });

  it('that is not met lapses; returned trips do not count, and a trip twice in a batch counts twice', async () => {
    await at.open({}, rules);
    const [one, two] = [await at.world.addMember(), await at.world.addMember()];
    for (const member of [one, two]) await give(member, 'match');
    const posted = await Promise.all([1, 2, 3].map((value) => at.tiered.post(two, value)));
    expect((await at.tiered.whys(two._id)).map(([why]) => why)).toEqual(['set', 'kept']);
    const first = await at.tiered.post(one, 1);
    await at.tiered.cancel(first.result.data.activityId);
    await at.tiered.post(one, 1);
    await at.tiered.post(one, 1);
    expect(await shown(one._id)).toMatchObject([{ keep: { counted: 2 } }]);
    clock().set('2027-02-19T12:00:00.000Z');
    await at.tiered.runTimer();
    expect(await at.tiered.levelOf(one._id)).toBeUndefined();
    for (const { result } of posted) await at.tiered.cancel(result.data.activityId);
    expect(await at.tiered.levelOf(two._id)).toBe('Gold');
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('records the sum of its day, which simulations read', async () => {
    await at.open({}, rules);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1);
    await give(member, 'match');
    const histories = collectionOf(at.world.services.db, activityHistoryResource);
    const history = await histories.findOne({ memberID: member._id, type: 'Referral' });
    const trips = { fact: 'aggregate', params: { metric: 'trips', period: 'day' } };
    expect(history?.factsRead).toEqual(expect.arrayContaining([expect.objectContaining({ ...trips, value: 1 })]));
  });

  it('continues after a merge with its count', async () => {
    await at.open({}, rules);
    const [survivor, merged] = [await at.world.addMember(), await at.world.addMember()];
    await give(merged, 'match');
    await at.tiered.post(merged, 1);
    const admin = at.world.server.as('admin');
    const { body } = await admin.post(`/members/${survivor._id}/merge`, { memberIds: [merged._id.toHexString()] });
    expect(body.tiers).toMatchObject([{ level: { name: 'Gold' }, keep: { counted: 1 } }]);
    await at.tiered.post(survivor, 1);
    await at.tiered.post(survivor, 1);
    expect((await at.tiered.whys(survivor._id)).map(([why]) => why)).toEqual(['merge', 'kept']);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('is read by rules: when the level ends, and how much is missing', async () => {
    const actual = {
      ...trip,
      key: 'told',
      priority: 1,
      conditions: { all: [{ fact: 'member', path: '$.tierMissing.Status', operator: 'greaterThan', value: 0 }] },
      actions: [
        {
          type: 'setData',
          texts: { left: '{{left}} by {{end}}' },
          with: {
            left: { fact: 'member', path: '$.tierMissing.Status' },
            end: { fact: 'member', path: '$.tierUntil.Status' },
          },
        },
      ],
    };
    await at.open({}, [...rules, actual]);
    const member = await at.world.addMember();
    await give(member, 'match');
    const { result } = await at.tiered.post(member, 1);
    expect(result.data.left).toContain('3 by 2027-02-19');
  });
});
