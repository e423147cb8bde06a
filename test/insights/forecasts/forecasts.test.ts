import { tierWorlds } from '../../members/tiers/tierWorld';
import { makePolicy } from '../../support/definitions';
import { earnRule, redeemRule } from '../../support/world';

const at = tierWorlds();
beforeAll(() => at.start());
afterAll(() => at.close());

const year = { basis: { metric: 'spend', period: 'year' as const }, downgrade: 'full' as const };
const untilYearEnd = { expiry: { value: 1, unit: 'year' as const, snap: 'endOfYear' as const } };

const forecastOf = async (id: { toHexString(): string }) =>
  (await at.world.server.as('client').get(`/members/${id.toHexString()}/forecast`)).body;

describe('the forecast of a member', () => {
  it('says how much reaches the next level, and that amount does', async () => {
    await at.open({ ...year, ...untilYearEnd });
    const member = await at.world.addMember();
    await at.tiered.post(member, 130);

    const { tiers, at: actual } = await forecastOf(member._id);
    const [tier] = tiers;
    expect(actual).toBe('2026-11-21T12:00:00.000Z');
    const [level, next] = at.tiered.policy.levels.toSorted((a, b) => a.number - b.number);
    const missing = (next?.threshold ?? 0) - 130;
    expect(tier).toMatchObject({
      name: 'Status',
      value: 130,
      level: { name: level?.name },
      expiresOn: '2028-01-01T00:00:00.000Z',
      next: { level: { name: next?.name }, missing, by: '2027-01-01T00:00:00.000Z' },
    });
    expect(tier.next.sentence).toBe(`Spend ${missing} more by 31 December 2026 to reach ${next?.name}`);

    await at.tiered.post(member, missing - 1);
    expect(await at.tiered.levelOf(member._id)).toBe(level?.name);
    await at.tiered.post(member, 1);
    expect(await at.tiered.levelOf(member._id)).toBe(next?.name);
  });

  it('says how much keeps a level in the deciding year, and that amount does', async () => {
    await at.open({ ...year, ...untilYearEnd });
    const [keeper, loser] = [await at.world.addMember(), await at.world.addMember()];
    for (const member of [keeper, loser]) await at.tiered.post(member, 130);
    at.world.services.clock.set('2027-06-01T12:00:00.000Z');

    const [tier] = (await forecastOf(keeper._id)).tiers;
    expect(tier).toMatchObject({ outlook: 'needs', keep: { missing: 100, by: '2028-01-01T00:00:00.000Z' } });
    expect(tier.keep.sentence).toBe('Spend 100 more by 31 December 2027 to keep Bronze');

    await at.tiered.post(keeper, tier.keep.missing);
    await at.tiered.post(loser, tier.keep.missing - 1);
    expect((await forecastOf(keeper._id)).tiers[0]).toMatchObject({ outlook: 'renewed' });
    at.world.services.clock.set('2028-01-01T00:00:00.000Z');
    await at.tiered.runTimer();
    expect([await at.tiered.levelOf(keeper._id), await at.tiered.levelOf(loser._id)]).toEqual(['Bronze', undefined]);
  });

  it('has a tier policy without a level, and one without a basis', async () => {
    await at.open(year);
    const invited = { name: 'Invited', program: at.world.program._id.toHexString(), levels: at.tiered.policy.levels };
    await at.world.server.as('program-manager').post('/tierpolicies', invited);
    const member = await at.world.addMember();
    const { tiers } = await forecastOf(member._id);
    expect(tiers).toMatchObject([{ name: 'Status', next: { missing: 100 } }, { name: 'Invited' }]);
    expect(tiers[1]).not.toHaveProperty('next');
  });

  it('is refused for an unknown, a merged and an erased member', async () => {
    await at.open(year);
    const [kept, merged, erased] = [await at.world.addMember(), await at.world.addMember(), await at.world.addMember()];
    const admin = at.world.server.as('admin');
    await admin.post(`/members/${kept._id.toHexString()}/merge`, { memberIds: [merged._id.toHexString()] });
    await admin.delete(`/members/${erased._id.toHexString()}`);
    const statuses = [];
    for (const id of ['000000000000000000000000', merged._id.toHexString(), erased._id.toHexString()]) {
      statuses.push((await admin.get(`/members/${id}/forecast`)).status);
    }
    expect(statuses).toEqual([404, 410, 410]);
  });
});

describe('points by month of expiry', () => {
  it('are those of the accrual items, for the member and for the program', async () => {
    await at.open(year, [earnRule, redeemRule]);
    const { world } = at;
    const { server, services, author, program, policies } = world;
    const terms = { expiry: { type: 'rolling' as const, value: 2, unit: 'month' as const } };
    await makePolicy(services.db, author, program, { name: 'Short', costPerPoint: 0.01, ...terms });
    const short = { ...earnRule, key: 'short', actions: [{ ...earnRule.actions[0], purse: 'Short' }] };
    await world.publish([earnRule, short, redeemRule]);
    const members = [await world.addMember(), await world.addMember()];
    for (const [n, member] of members.entries()) {
      await at.tiered.post(member, 100 + n);
      await at.tiered.post(member, 20, { date: '2026-11-05T00:00:00.000Z' });
      await at.tiered.post(member, 30, { type: 'Redemption' });
    }

    const { expiring } = await forecastOf(members[0]?._id ?? program._id);
    expect(expiring).toMatchObject([{ month: '2027-01', name: 'Short', points: 120, escrowed: 0 }]);

    const { body } = await server.as('reader').get(`/forecasts/liability?program=${program._id.toHexString()}`);
    expect(body).toMatchObject({ cost: 2.41, expectedCost: null });
    expect(body.purses).toMatchObject([
      { name: policies[0]?.name, points: 181, cost: null, months: [{ month: null, points: 181 }], breakage: null },
      { name: 'Short', points: 241, cost: 2.41, months: [{ month: '2027-01', points: 241, cost: 2.41 }] },
    ]);
    await at.tiered.runTimer();
    services.clock.set('2027-01-21T12:00:00.000Z');
    const later = await server.as('reader').get(`/forecasts/liability?program=${program._id.toHexString()}`);
    expect(later.body.purses[1]).toMatchObject({ points: 0, months: [] });
  });

  it.each([
    ['no program', '', 400],
    ['a malformed id', '?program=abc', 400],
    ['an unknown program', '?program=000000000000000000000000', 404],
  ])('are refused for %s (%s) with the status %d, and to clients with 403', async (_, query, status) => {
    await at.open(year);
    expect((await at.world.server.as('reader').get(`/forecasts/liability${query}`)).status).toBe(status);
    expect((await at.world.server.as('client').get(`/forecasts/liability${query}`)).status).toBe(403);
  });

  it('are expected to expire as often as earlier ones did', async () => {
    await at.open(year, [earnRule, redeemRule]);
    const { world } = at;
    const { server, services, author, program } = world;
    const terms = { expiry: { type: 'rolling' as const, value: 3, unit: 'month' as const } };
    await makePolicy(services.db, author, program, { name: 'Short', ...terms });
    const inShort = (rule: typeof earnRule | typeof redeemRule) => ({
      ...rule,
      actions: [{ ...rule.actions[0], purse: 'Short' }],
    });
    await world.publish([inShort(earnRule), inShort(redeemRule)]);
    // Of 100 points each month, 40 are redeemed in the next month; the others expire.
    for (let month = 1; month <= 12; month += 1) {
      const member = await world.addMember();
      services.clock.set(new Date(Date.UTC(2027, month, 1, 12)));
      await at.tiered.post(member, 100);
      services.clock.set(new Date(Date.UTC(2027, month + 1, 1, 12)));
      await at.tiered.post(member, 40, { type: 'Redemption' });
      await at.tiered.runTimer();
    }
    services.clock.set(new Date(Date.UTC(2028, 2, 1)));
    await at.tiered.post(await world.addMember(), 1000);
    const { body } = await server.as('reader').get(`/forecasts/liability?program=${program._id.toHexString()}`);
    const short = body.purses.find(({ name }: { name: string }) => name === 'Short');
    expect(short.breakage.ages.slice(0, 3).map(({ share }: { share: number }) => share)).toEqual([0, 0.4, 0]);
    const march = short.months.find(({ month }: { month: string }) => month === '2028-06');
    expect(march).toMatchObject({ points: 1000, expectedBreakage: 600 });
  });
});
