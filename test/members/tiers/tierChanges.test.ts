import { collectionOf } from '#base/db/collections';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { memberResource } from '#records/members/member';
import { earnRule } from '../../support/world';
import { multiplier, promote, tierWorlds } from './tierWorld';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

describe('a cancellation', () => {
  it('takes back in its commit a level that was reached only through the activity', async () => {
    await at.open();
    const member = await at.world.addMember();
    await at.tiered.post(member, 120);
    const large = await at.tiered.post(member, 900);
    await at.tiered.post(member, 200);
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');

    const { body } = await at.tiered.cancel(large.result.data.activityId);

    expect(body.member.tiers).toMatchObject([{ level: { name: 'Silver' } }]);
    expect(await at.tiered.whys(member._id)).toEqual([
      ['reached', undefined, 'Bronze'],
      ['reached', 'Bronze', 'Gold'],
      ['cancelled', 'Gold', 'Silver'],
    ]);
  });

  it('of a part takes back a level when the rest is not enough, and the level can be reached again', async () => {
    await at.open();
    const member = await at.world.addMember();
    const { result } = await at.tiered.post(member, 350);
    await at.tiered.cancel(result.data.activityId, { value: 50 });
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
    await at.tiered.cancel(result.data.activityId, { value: 1 });
    expect(await at.tiered.levelOf(member._id)).toBe('Bronze');
    await at.tiered.cancel(result.data.activityId);
    expect((await at.tiered.stored(member._id))?.tiers).toEqual([]);
    await at.tiered.post(member, 300);
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
  });

  it('leaves a level that the present period reaches, whatever an older one loses', async () => {
    await at.open({ basis: { metric: 'spend', period: 'month' } });
    const member = await at.world.addMember();
    const first = await at.tiered.post(member, 1000);
    at.world.services.clock.set('2026-12-05T12:00:00.000Z');
    const second = await at.tiered.post(member, 1100);
    await at.tiered.cancel(first.result.data.activityId);
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
    await at.tiered.cancel(second.result.data.activityId, { value: 700 });
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
    await at.tiered.post(member, 600);
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('that took too much is found by reconcile and fixed by the next purchase, and a level set by a rule is no mismatch', async () => {
    await at.open({}, [{ ...promote, actions: [{ type: 'setTier', policy: 'Status', level: 'Bronze' }] }, earnRule]);
    const [member, lowered] = [await at.world.addMember(), await at.world.addMember()];
    for (const each of [member, lowered]) await at.tiered.post(each, 1000);
    await at.tiered.post(lowered, 0, { type: 'Referral' });
    expect(await at.tiered.levelOf(lowered._id)).toBe('Bronze');
    const stored = await at.tiered.stored(member._id);
    const [ladder] = stored?.ladders ?? [];
    const [, silver] = ladder?.steps ?? [];
    const fields = { 'tiers.0.level': silver?.level, 'ladders.0.steps': ladder?.steps.slice(0, 2) };
    await collectionOf(at.world.services.db, memberResource).updateOne({ _id: member._id }, { $set: fields });
    expect(await at.tiered.mismatches()).toEqual([
      `Member ${member._id}: is Silver in Status, but 1000 in 2026 reaches Gold`,
      `Member ${member._id}: Status has level 2, but by its history it is 3`,
    ]);
    await at.tiered.post(member, 1);
    expect([await at.tiered.levelOf(member._id), await at.tiered.mismatches()]).toEqual(['Gold', []]);
  });

  it('leaves the lower level with the terms that went on meanwhile, each judged by its own time', async () => {
    await at.open({ expiry: { value: 40, unit: 'day' }, downgrade: 'full' });
    const member = await at.world.addMember();
    await at.tiered.post(member, 120);
    at.world.services.clock.set('2026-12-20T12:00:00.000Z');
    const large = await at.tiered.post(member, 900);
    at.world.services.clock.set('2027-01-10T12:00:00.000Z');
    const { body } = await at.tiered.cancel(large.result.data.activityId);
    expect(body.member.tiers).toMatchObject([
      { level: { name: 'Bronze' }, since: '2026-11-21T12:00:00.000Z', expiresOn: '2027-02-09T12:00:00.000Z' },
    ]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('leaves a level that a rule set', async () => {
    await at.open({}, [promote, earnRule]);
    const member = await at.world.addMember();
    const { result } = await at.tiered.post(member, 0, { type: 'Referral' });
    await at.tiered.cancel(result.data.activityId);
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
  });

  it('of an activity of last year takes back the level of last year, and one of this year does not', async () => {
    await at.open();
    const member = await at.world.addMember();
    const first = await at.tiered.post(member, 400);
    at.world.services.clock.set('2027-02-01T00:00:00.000Z');
    await rollUp(at.world.services, { now: at.world.services.clock.now() });
    const second = await at.tiered.post(member, 50);
    await at.tiered.cancel(second.result.data.activityId);
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
    await at.tiered.cancel(first.result.data.activityId);
    expect((await at.tiered.stored(member._id))?.tiers).toEqual([]);
  });
});

describe('a level whose date is reached', () => {
  const month = { expiry: { value: 1, unit: 'month' as const }, basis: { metric: 'spend', period: 'month' as const } };

  it('goes down by the timer, once, however often and wherever it runs', async () => {
    await at.open({ ...month, downgrade: 'one' });
    const member = await at.world.addMember();
    expect((await at.tiered.post(member, 1000)).member.tiers).toMatchObject([
      { expiresOn: '2026-12-21T12:00:00.000Z' },
    ]);
    at.world.services.clock.set('2026-12-21T11:59:59.999Z');
    await at.tiered.runTimer();
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');

    at.world.services.clock.set('2026-12-21T12:00:00.000Z');
    const runs = await Promise.all([at.tiered.runTimer(), at.tiered.runTimer(), at.tiered.runTimer()]);

    expect(runs.map(({ body }) => body.error)).toEqual([null, null, null]);
    expect(runs.reduce((sum, { body }) => sum + body.counts.tiers, 0)).toBe(1);
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
    expect(await at.tiered.whys(member._id)).toEqual([
      ['reached', undefined, 'Gold'],
      ['downgraded', 'Gold', 'Silver'],
    ]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('is lost with metrics that have ended, also before they are moved away', async () => {
    const stamp = { type: 'addMetric', metric: 'stamps', value: 300, expires: { value: 30, unit: 'day' } };
    const basis = { metric: 'stamps', period: 'lifetime' as const };
    const rules = [{ ...earnRule, key: 'stamp', name: 'Stamps', priority: 5, actions: [stamp] }, earnRule];
    await at.open({ basis, expiry: { value: 40, unit: 'day' }, downgrade: 'full' }, rules);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1);
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
    at.world.services.clock.set('2027-01-05T00:00:00.000Z');
    await at.tiered.runTimer();
    expect(await at.tiered.stored(member._id)).toMatchObject({
      tiers: [],
      aggregates: expect.arrayContaining([expect.objectContaining({ metricName: 'stamps', metricAggValue: 300 })]),
    });
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('is renewed when the present period still reaches it', async () => {
    await at.open(month);
    const member = await at.world.addMember();
    await at.tiered.post(member, 300);
    at.world.services.clock.set('2026-12-02T00:00:00.000Z');
    await at.tiered.post(member, 310);
    at.world.services.clock.set('2026-12-25T00:00:00.000Z');
    await at.tiered.runTimer();
    expect((await at.tiered.stored(member._id))?.tiers).toMatchObject([
      { level: { name: 'Silver' }, expiresOn: new Date('2027-01-21T12:00:00.000Z') },
    ]);
    expect((await at.tiered.whys(member._id)).at(-1)).toEqual(['renewed', 'Silver', 'Silver']);
  });

  it('never counts in a commit after it, however late the timer is', async () => {
    await at.open(month, [earnRule, multiplier]);
    const member = await at.world.addMember();
    await at.tiered.post(member, 1000);
    at.world.services.clock.set('2027-01-05T00:00:00.000Z');
    const { member: answered } = await at.tiered.post(member, 10);
    expect(answered).toMatchObject({ tiers: [], purses: [{ balance: 1010 }] });
    expect((await at.tiered.whys(member._id)).at(-1)).toEqual(['expired', 'Gold', undefined]);
  });

  it('is processed by the timer while activities are posted, and none of them is lost', async () => {
    await at.open({ ...month, downgrade: 'full' });
    const members = await Promise.all(Array.from({ length: 5 }, () => at.world.addMember()));
    for (const member of members) await at.tiered.post(member, 300);
    at.world.services.clock.set('2026-12-21T12:00:00.000Z');

    const posts = members.flatMap((member) => Array.from({ length: 10 }, () => at.tiered.post(member, 10)));
    await Promise.all([...posts, at.tiered.runTimer(), at.tiered.runTimer()]);

    for (const { _id } of members) {
      expect(await at.tiered.stored(_id)).toMatchObject({
        tiers: [{ level: { name: 'Bronze' } }],
        purses: [{ balance: 400 }],
      });
      expect((await at.tiered.stored(_id))?.keptSums).toMatchObject([{ key: '2026-12', value: 100 }]);
    }
    expect(await at.tiered.mismatches()).toEqual([]);
  });
});

describe('a merge', () => {
  it('leaves the best tier and both counts, and later cancels find all activities', async () => {
    await at.open({ expiry: { value: 1, unit: 'year' } });
    const [survivor, merged] = [await at.world.addMember(), await at.world.addMember()];
    await at.tiered.post(survivor, 150);
    const large = await at.tiered.post(merged, 350);
    at.world.services.clock.advance(1000);
    const admin = at.world.server.as('admin');
    const { body } = await admin.post(`/members/${survivor._id}/merge`, { memberIds: [merged._id.toHexString()] });
    expect(body.tiers).toMatchObject([{ level: { name: 'Silver' }, since: '2026-11-21T12:00:00.000Z' }]);
    expect(await at.tiered.whys(survivor._id)).toEqual([
      ['reached', undefined, 'Bronze'],
      ['merge', 'Bronze', 'Silver'],
    ]);
    expect(await at.tiered.stored(merged._id)).toMatchObject({ tiers: [], ladders: [], keptSums: [] });
    expect((await at.tiered.stored(survivor._id))?.keptSums).toMatchObject([{ value: 500 }]);

    await admin.post('/jobs/members/run');
    await admin.post('/jobs/aggregates/run');
    await at.tiered.post(survivor, 500);

    expect(await at.tiered.levelOf(survivor._id)).toBe('Gold');
    await at.tiered.cancel(large.result.data.activityId);
    expect(await at.tiered.levelOf(survivor._id)).toBe('Silver');
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('reaches the level that the sums of both reach together', async () => {
    await at.open();
    const [survivor, merged] = [await at.world.addMember(), await at.world.addMember()];
    await at.tiered.post(survivor, 150);
    await at.tiered.post(merged, 150);
    const admin = at.world.server.as('admin');
    const { body } = await admin.post(`/members/${survivor._id}/merge`, { memberIds: [merged._id.toHexString()] });
    expect(body.tiers).toMatchObject([{ level: { name: 'Silver' } }]);
  });

  it('judges what was due before it by what each member had alone, also when no timer came', async () => {
    await at.open({
      basis: { metric: 'spend', period: 'month' },
      expiry: { value: 1, unit: 'month' },
      downgrade: 'full',
    });
    const [survivor, merged] = [await at.world.addMember(), await at.world.addMember()];
    await at.tiered.post(survivor, 350);
    at.world.services.clock.set('2026-12-05T12:00:00.000Z');
    await at.tiered.post(merged, 350);
    at.world.services.clock.set('2026-12-22T12:00:00.000Z');
    const admin = at.world.server.as('admin');
    const { body } = await admin.post(`/members/${survivor._id}/merge`, { memberIds: [merged._id.toHexString()] });
    expect(body.tiers).toMatchObject([
      { level: { name: 'Silver' }, since: '2026-12-05T12:00:00.000Z', expiresOn: '2027-01-05T12:00:00.000Z' },
    ]);
    expect(await at.tiered.whys(survivor._id)).toEqual([
      ['reached', undefined, 'Silver'],
      ['expired', 'Silver', undefined],
      ['merge', undefined, 'Silver'],
    ]);
    expect((await at.tiered.stored(survivor._id))?.keptSums).toMatchObject([{ key: '2026-12', value: 350 }]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });
});
