import { collectionOf } from '#base/db/collections';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { memberResource } from '#records/members/member';
import { makeTierPolicy } from '../../support/definitions';
import { serveTest } from '../../support/server';
import { openAlongside } from '../../support/services';
import { earnRule } from '../../support/world';
import { tierWorlds } from './tierWorld';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

describe('a level', () => {
  it('is reached in the commit whose own metrics reach its threshold, and shown at once', async () => {
    await at.open();
    const member = await at.world.addMember();
    expect((await at.tiered.post(member, 99)).member.tiers).toEqual([]);

    const answer = await at.tiered.post(member, 1);

    const tier = {
      policyId: at.tiered.policy._id.toHexString(),
      name: 'Status',
      program: at.world.program._id.toHexString(),
    };
    const level = { name: 'Bronze', number: 1 };
    const expected = [{ ...tier, level, since: '2026-11-21T12:00:00.000Z' }];
    expect(answer.member.tiers).toEqual(expected);
    const read = await at.world.server.as('reader').get(`/members/${member._id.toHexString()}`);
    expect(read.body.tiers).toEqual(expected);
    expect(read.body).not.toHaveProperty('ladders');
    expect(read.body).not.toHaveProperty('keptSums');
    const history = await at.world.server.as('client').get(`/tierhistories?member=${member._id.toHexString()}`);
    expect(history.body).toMatchObject([{ why: 'reached', to: level, activity: answer.result.data.activityId }]);
  });

  it('is the tier of the account when no other member has a higher one', async () => {
    await at.open();
    const members = [await at.world.addMember(), await at.world.addMember(), await at.world.addMember()];
    const entries = members.map(({ _id, program }) => ({ member: _id, program }));
    const { body: account } = await at.world.server.as('client').post('/accounts', { members: entries });
    const maxTier = `/accounts/maxtier/${account._id}/${at.tiered.policy._id.toHexString()}`;
    expect((await at.world.server.as('client').get(maxTier)).body).toEqual({ tier: null });

    const highest = at.tiered.policy.levels.reduce((best, level) => (level.number > best.number ? level : best));
    const values = [highest.threshold, 100, 1];
    for (const [index, member] of members.entries()) await at.tiered.post(member, values[index] ?? 0);

    const { status, body } = await at.world.server.as('client').get(maxTier);
    const level = { name: highest.name, number: highest.number };
    expect([status, body.tier]).toMatchObject([200, { name: 'Status', level }]);
  });

  it('counts every period exactly, whatever was rolled up in between', async () => {
    const periods = ['day', 'week', 'month', 'quarter', 'halfYear', 'year', 'lifetime'] as const;
    await at.open({ name: 'day', basis: { metric: 'pointsEarned', period: 'day' } });
    for (const period of periods.slice(1)) {
      const basis = { metric: 'pointsEarned', period };
      await makeTierPolicy(at.world.services.db, at.world.author, at.world.program, { name: period, basis });
    }
    const member = await at.world.addMember();
    await at.tiered.post(member, 100, { date: '2025-03-01T00:00:00.000Z' });
    await at.tiered.post(member, 150);
    await rollUp(at.world.services, { now: at.world.services.clock.now() });
    await collectionOf(at.world.services.db, memberResource).updateOne(
      { _id: member._id },
      { $unset: { keptSums: '' } },
    );
    const levelsOf = async () =>
      (await at.tiered.stored(member._id))?.tiers.map(({ name, level }) => [name, level.name]);

    await at.tiered.post(member, 49);
    expect(await levelsOf()).toEqual(periods.map((name) => [name, 'Bronze']));
    await at.tiered.post(member, 101);
    expect(await levelsOf()).toEqual(periods.map((name) => [name, 'Silver']));
  });

  it('counts points earned before the policy was made, once something is earned after it', async () => {
    await at.open({ basis: { metric: 'visits', period: 'year' } });
    const member = await at.world.addMember();
    await at.tiered.post(member, 299);
    await makeTierPolicy(at.world.services.db, at.world.author, at.world.program, { name: 'Late' });
    expect((await at.tiered.post(member, 1)).member.tiers).toMatchObject([{ name: 'Late', level: { name: 'Silver' } }]);
  });

  it('starts again with the period, but keeps the level', async () => {
    await at.open();
    const member = await at.world.addMember();
    await at.tiered.post(member, 250);
    at.world.services.clock.set('2027-01-02T00:00:00.000Z');
    await at.tiered.post(member, 299);
    expect(await at.tiered.levelOf(member._id)).toBe('Bronze');
    await at.tiered.post(member, 1);
    expect(await at.tiered.levelOf(member._id)).toBe('Silver');
  });

  it('with the threshold 0 belongs to every member from the start', async () => {
    await at.open({ levels: [{ name: 'Member', number: 0, threshold: 0 }] });
    const member = await at.world.addMember();
    expect(member.tiers).toMatchObject([{ level: { name: 'Member', number: 0 } }]);
    expect(await at.tiered.whys(member._id)).toEqual([['reached', undefined, 'Member']]);
  });

  it('is reached neither by a failing activity nor by a dry run', async () => {
    const reject = { ...earnRule, key: 'reject', priority: 1, actions: [{ type: 'reject', message: 'no' }] };
    await at.open({}, [
      earnRule,
      { ...reject, conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'equal', value: 500 }] } },
    ]);
    const member = await at.world.addMember();
    const client = at.world.server.as('client');
    const failed = await client.post('/activity', { type: 'Accrual', memberID: member._id.toHexString(), value: 500 });
    expect(failed.body).toMatchObject({ result: { data: { status: 'Error' } }, member: { tiers: [] } });
    const tried = await client.post('/activity?persist=false', {
      type: 'Accrual',
      memberID: member._id.toHexString(),
      value: 400,
    });
    expect(tried.body.member.tiers).toMatchObject([{ level: { name: 'Silver' } }]);
    expect((await at.tiered.stored(member._id))?.tiers).toEqual([]);
    expect(await at.tiered.whys(member._id)).toEqual([]);
  });

  it('is reached once by commits of two processes at once, and no sum is lost', async () => {
    await at.open();
    const other = await openAlongside(at.world.services);
    const second = await serveTest({ ...at.world.services, ...other, clock: at.world.services.clock });
    const member = await at.world.addMember();
    const clients = [at.world.server.as('client'), second.as('client')];
    const body = { type: 'Accrual', memberID: member._id.toHexString(), value: 10 };
    const postUntilDone = async (index: number): Promise<void> => {
      const answer = await clients[index % 2]?.post('/activity', body);
      // Two processes that change one member may be told to retry.
      if (answer?.status === 503) return postUntilDone(index);
      expect(answer?.status).toBe(200);
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => postUntilDone(index)));
    await second.close();
    await other.close();
    expect(await at.tiered.levelOf(member._id)).toBe('Gold');
    expect(await at.tiered.whys(member._id)).toEqual([
      ['reached', undefined, 'Bronze'],
      ['reached', 'Bronze', 'Silver'],
      ['reached', 'Silver', 'Gold'],
    ]);
    expect((await at.tiered.stored(member._id))?.keptSums).toMatchObject([
      { metric: 'spend', key: '2026', value: 1000 },
    ]);
  });
});
