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
const end = (year: number) => `${year + 1}-01-01T00:00:00.000Z`;

/** A member of a new world, and its steps. */
async function joined(policy: object = years, rules?: Record<string, unknown>[]) {
  await at.open(policy, rules);
  const member = await at.world.addMember();
  return {
    member,
    async spend(value: number, date?: string): Promise<string> {
      const { result } = await at.tiered.post(member, value, date === undefined ? {} : { date });
      return result.data.activityId;
    },
    async shown() {
      const tiers = (await at.tiered.stored(member._id))?.tiers ?? [];
      return tiers.map(({ level, expiresOn }) => [level.name, expiresOn?.toISOString()]);
    },
    async cancel(id: string, body = {}) {
      expect((await at.tiered.cancel(id, body)).body.result.data.status).toBe('Processed');
    },
    async timer(now: string) {
      clock().set(now);
      await at.tiered.runTimer();
    },
  };
}

describe('a level of two years', () => {
  const dates = { now: '2026-06-01T12:00:00.000Z', past: '2025-06-15T12:00:00.000Z' };

  it.each([
    ['now', 'past'],
    ['past', 'now'],
  ] as const)('posted %s and then %s: a cancel of one leaves what the other gives', async (...order) => {
    for (const [cancelled, ...levels] of [
      ['now', 'Silver', 'Bronze', undefined],
      ['past', 'Silver', 'Silver', 'Bronze'],
    ] as const) {
      const { spend, cancel, shown, timer } = await joined();
      const ids = new Map<string, string>();
      for (const which of order) ids.set(which, await spend(300, dates[which]));
      await cancel(ids.get(cancelled) ?? '');
      const seen = [(await shown())[0]?.[0]];
      for (const now of [end(2026), end(2027)]) {
        await timer(now);
        seen.push((await shown())[0]?.[0]);
      }
      expect(seen).toEqual(levels);
      expect(await at.tiered.mismatches()).toEqual([]);
    }
  });

  it('is lost when both are cancelled, also in parts', async () => {
    const { spend, cancel, shown } = await joined();
    const first = await spend(300);
    const second = await spend(310, dates.past);
    await cancel(first);
    await cancel(second, { value: 10 });
    expect(await shown()).toEqual([['Silver', end(2026)]]);
    await cancel(second, { value: 1 });
    expect(await shown()).toEqual([['Bronze', end(2026)]]);
    await cancel(second);
    expect(await shown()).toEqual([]);
  });
});

describe('a cancel after the end of a term', () => {
  it('takes back a renewal, and then the level that a downgrade left', async () => {
    const { spend, cancel, shown, timer } = await joined();
    const first = await spend(1000);
    clock().set('2027-06-01T12:00:00.000Z');
    const second = await spend(1000);
    await timer(end(2027));
    expect(await shown()).toEqual([['Gold', end(2028)]]);
    await cancel(second);
    expect(await shown()).toEqual([['Silver', end(2028)]]);
    await cancel(first);
    expect(await shown()).toEqual([]);
    expect(await at.tiered.mismatches()).toEqual([]);
  });

  it('takes nothing from a level that a rule set, nor from its renewal', async () => {
    const promote = {
      key: 'promote',
      name: 'A Referral makes Gold',
      activityTypes: ['Referral'],
      priority: 20,
      actions: [{ type: 'setTier', policy: 'Status', level: 'Gold' }],
    };
    const { spend, cancel, shown, timer, member } = await joined(years, [promote]);
    await at.tiered.post(member, 0, { type: 'Referral', referralCode: undefined });
    clock().set('2027-06-01T12:00:00.000Z');
    const id = await spend(1000);
    await timer(end(2027));
    await cancel(id);
    expect(await shown()).toEqual([['Gold', end(2028)]]);
  });

  it('keeps a renewed level when the policy ignores late activities', async () => {
    const { spend, cancel, shown, timer } = await joined({ ...years, lateClaims: 'ignored' });
    await spend(1000);
    clock().set('2027-06-01T12:00:00.000Z');
    const second = await spend(1000);
    await timer(end(2027));
    await cancel(second);
    expect(await shown()).toEqual([['Gold', end(2028)]]);
  });
});

it('a ladder from before late activities counted knows the periods of its steps', async () => {
  const { spend, cancel, shown } = await joined({ ...years, lateClaims: 'ignored' });
  const first = await spend(300);
  const change = { lateClaims: 'counted' };
  const path = `/tierpolicies/${at.tiered.policy._id}`;
  expect((await at.world.server.as('admin').put(path, change)).status).toBe(200);
  const other = await spend(1, '2025-06-15T12:00:00.000Z');
  await cancel(other);
  expect(await shown()).toEqual([['Silver', end(2027)]]);
  await cancel(first);
  expect(await shown()).toEqual([]);
});
