import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { makePolicy, makeProgram } from '../../support/definitions';
import { numbers } from '../../support/numbers';
import { scaled, seedsOf } from '../../support/scale';
import { earnRule, type World } from '../../support/world';
import { heldByPurse, liveThrough, openWorldOfEverything, rulesOfEverything, worthCsv } from './pastOfEverything';

let world: World;
beforeEach(async () => {
  world = await openWorldOfEverything();
});
afterEach(() => world.close());

const manager = () => world.server.as('program-manager');

const filesOf = (rules: readonly object[]) => ({
  'main/rules.json': JSON.stringify(rules),
  'main/worth.csv': worthCsv,
});

async function simulate(body: Record<string, unknown>) {
  const response = await manager().post('/rules/simulate', body);
  expect([response.status, response.body.errors]).toEqual([202, undefined]);
  await runNextSimulation(world.services);
  const { body: read } = await manager().send('GET', String(response.headers.get('location')));
  expect(read).toMatchObject({ status: 'Done' });
  return read.result;
}

test.each(seedsOf(7))('unchanged files give no difference over a past with everything (seed %i)', async (seed) => {
  await liveThrough(world, numbers(seed), scaled(150, seed));
  const result = await simulate({ files: filesOf(rulesOfEverything) });
  expect(result).toMatchObject({ differing: 0, notEvaluated: 0, liability: 0, points: { difference: 0 } });
  expect(result.rules.filter(({ before, after }: Row) => JSON.stringify(before) !== JSON.stringify(after))).toEqual([]);
  expect(result.members).toMatchObject({ winners: 0, losers: 0 });
  const current = await heldByPurse(world);
  expect(new Map(result.purses.map(({ purse, before }: Row) => [purse, before]))).toEqual(current);
});

test('a repeated simulation gives equal bytes, offers and returns included', async () => {
  await liveThrough(world, numbers(3), 60);
  const body = { files: { 'main/rules.json': JSON.stringify(rulesOfEverything.slice(0, 9)) } };
  const [once, twice] = [await simulate(body), await simulate(body)];
  expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
  expect(once.offers.map(({ offer }: Row) => offer).sort()).toEqual(['DOUBLE', 'EXTRA', 'FIVE']);
  expect(
    await world.services.db.collection('activityhistories').countDocuments({ returns: { $gt: 0 } }),
  ).toBeGreaterThan(5);
});

describe('returned parts', () => {
  const earning = (times: number, more: object = {}) => ({
    ...earnRule,
    ...more,
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times } }],
  });
  const buy = async (memberID: string, fields: object) =>
    (await world.server.as('client').post('/activity', { type: 'Accrual', memberID, ...fields })).body.result.data
      .activityId;
  const giveBack = (id: string, body: object) => world.server.as('ledger-admin').post(`/activity/${id}/cancel`, body);

  test.each([
    ['by value, in proportion', {}, { value: 400 }, 200],
    ['a rule that keeps', { onReturn: 'keep' }, { value: 400 }, 1000],
    ['by line, decided again', {}, { lineItems: [{ itemSKU: 'tea' }] }, 200],
  ])('are left out on both sides: %s', async (_name, more, body, after) => {
    await world.publish([earning(1)]);
    const member = (await world.addMember())._id.toHexString();
    const lineItems = [
      { itemSKU: 'tea', itemPrice: 400, quantity: 1 },
      { itemSKU: 'pen', itemPrice: 100, quantity: 1 },
    ];
    await giveBack(await buy(member, { lineItems }), body);
    expect((await simulate({ rules: [earning(1)] })).points).toEqual({ before: 100, after: 100, difference: 0 });
    expect((await simulate({ rules: [earning(2, more)] })).points).toEqual({
      before: 100,
      after,
      difference: after - 100,
    });
  });

  test('give back their use of a limit at their time', async () => {
    const limits = [{ what: 'points', per: 'member', period: 'month', max: 500, onExceed: 'reduce' }];
    await world.publish([earning(1, { limits })]);
    const member = (await world.addMember())._id.toHexString();
    const first = await buy(member, { value: 500 });
    await buy(member, { value: 70 });
    await giveBack(first, { value: 400 });
    await buy(member, { value: 600 });
    const whole = await buy(member, { value: 50 });
    await giveBack(whole, {});
    expect((await simulate({ rules: [earning(1, { limits })] })).points).toEqual({
      before: 500,
      after: 500,
      difference: 0,
    });
  });

  test('give back at each return what that return gave back, even if it is no share of the value', async () => {
    const limits = [{ what: 'points', per: 'member', period: 'month', max: 500, onExceed: 'reduce' }];
    await world.publish([earning(1, { limits })]);
    const member = (await world.addMember())._id.toHexString();
    const pen = { itemSKU: 'pen', itemPrice: 100, quantity: 1 };
    const id = await buy(member, { lineItems: [{ itemSKU: 'tea', itemPrice: 900, quantity: 1 }, pen] });
    // Without the pen, the limit allows the same 500 points: nothing comes back, and nothing is earned.
    await giveBack(id, { lineItems: [{ itemSKU: 'pen', quantity: 1 }] });
    await buy(member, { value: 70 });
    // By value, the award keeps its share: 110 of 1000 come back in all.
    await giveBack(id, { value: 10 });
    await buy(member, { value: 30 });
    const current = (await world.server.as('admin').get(`/members/${member}`)).body.purses[0].balance;
    expect(current).toBeLessThan(500);
    expect((await simulate({ rules: [earning(1, { limits })] })).points).toMatchObject({
      before: current,
      after: current,
    });
  });

  test('give back the use of a limit by a line that cost nothing', async () => {
    const gift = {
      ...earnRule,
      key: 'gift',
      perLine: true,
      conditions: { all: [{ fact: 'lineItem', path: '$.itemSKU', operator: 'equal', value: 'pen' }] },
      actions: [{ type: 'addPoints', purse: 'Points', points: 50 }],
      limits: [{ what: 'points', per: 'member', period: 'month', max: 60, onExceed: 'reduce' }],
    };
    await world.publish([gift]);
    const member = (await world.addMember())._id.toHexString();
    const line = (itemSKU: string, itemPrice: number) => ({ itemSKU, itemPrice, quantity: 1 });
    const lineItems = [line('tea', 100), line('cup', 900), line('pen', 0)];
    const id = await buy(member, { lineItems });
    for (const itemSKU of ['tea', 'pen']) await giveBack(id, { lineItems: [{ itemSKU, quantity: 1 }] });
    await buy(member, { lineItems });
    const current = (await world.server.as('admin').get(`/members/${member}`)).body.purses[0].balance;
    expect(current).toBe(50);
    expect((await simulate({ rules: [gift] })).points).toMatchObject({ before: current, after: current });
  });
});

test('an offer or reward that the day did not have is named, and counts nothing', async () => {
  const member = (await world.addMember())._id.toHexString();
  await world.publish([earnRule]);
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID: member, value: 10 });
  const gift = {
    ...earnRule,
    key: 'gift',
    actions: [
      { type: 'applyOffer', offer: 'EXTRA' },
      { type: 'issueReward', reward: 'MUG' },
    ],
  };
  const result = await simulate({ rules: [gift] });
  expect(result).toMatchObject({ notEvaluated: 1, points: { before: 10, after: 10 } });
  expect(result.rules.find(({ key }: Row) => key === 'gift')).toMatchObject({
    after: { fired: 1, points: 0 },
    notEvaluated: 1,
    missing: [{ fact: 'offer EXTRA' }, { fact: 'cost of the reward MUG' }],
  });
});

test('only the programs of the files are simulated', async () => {
  await world.publish([earnRule]);
  const { services, rulesDir } = world;
  const other = await makeProgram(services.db, world.author, { code: 'other' });
  await makePolicy(services.db, world.author, other);
  mkdirSync(path.join(rulesDir, 'other'));
  writeFileSync(path.join(rulesDir, 'other', 'rules.json'), JSON.stringify([{ ...earnRule, key: 'others' }]));
  expect((await services.ruleSets.publish(services.org._id)).errors).toEqual([]);
  for (const member of [await world.addMember(), await world.addMember({ program: other._id })]) {
    await world.server.as('client').post('/activity', { type: 'Accrual', memberID: member._id, value: 10 });
  }
  const files = { 'main/rules.json': JSON.stringify([earnRule]) };
  expect(await simulate({ files })).toMatchObject({ activities: 1, differing: 0, rules: [{ key: 'earn' }] });
  const { status, body } = await manager().post('/rules/simulate', { files, program: 'other' });
  expect([status, body.errors[0].path]).toEqual([422, 'program']);
});

interface Row {
  offer: string;
  key: string;
  purse: string;
  before: number;
  after: number;
}
