import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { earnRule, openWorld, type World } from '../../support/world';

const route = ['$.ext.from', '$.ext.to'].map((at) => ({ fact: 'activity', path: at }));
const column = (name: string) => ({ fact: 'table', path: `$.${name}`, params: { name: 'distances', keys: route } });
/** Awards so many times the miles of a flight. */
const flight = (times: number) => ({
  ...earnRule,
  key: 'flight',
  name: 'Flight',
  conditions: { all: [{ ...column('zone'), operator: 'equal', value: 'Atlantic' }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: column('miles'), times } }],
});
const distances = { lookupTable: 'distances', csv: 'distances.csv', keys: ['from', 'to'] };
const csv = (miles: number) => `from,to,miles,zone\nZRH,JFK,${miles},Atlantic\nZRH,GVA,143,Home\n`;
const files = (times: number, miles: number) => ({
  'main/rules.json': JSON.stringify([distances, flight(times)]),
  'main/distances.csv': csv(miles),
});

let world: World;
let flights: string[];
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  writeFileSync(path.join(world.rulesDir, 'main', 'distances.csv'), csv(3924));
  await world.publish([distances, flight(1)]);
  const memberID = (await world.addMember())._id.toHexString();
  flights = [];
  for (const to of ['JFK', 'GVA', 'XXX']) {
    const body = { type: 'Accrual', memberID, value: 1, ext: { from: 'ZRH', to } };
    const posted = await world.server.as('client').post('/activity', body);
    expect(posted.body.result.errors).toEqual([]);
    flights.push(posted.body.result.data.activityId);
  }
});
afterAll(() => world.close());

async function simulated(body: object) {
  const manager = world.server.as('program-manager');
  const response = await manager.post('/rules/simulate', body);
  expect([response.status, response.body.errors]).toEqual([202, undefined]);
  expect(await runNextSimulation(world.services)).toBe(true);
  const { body: read } = await manager.send('GET', String(response.headers.get('location')));
  expect([read.status, read.error]).toEqual(['Done', undefined]);
  return read.result.rules.map(({ key, before, after, notEvaluated }: Record<string, unknown>) => {
    return { key, before, after, notEvaluated };
  });
}

const once = (points: number) => ({ fired: 1, points });

test('rules that change read the tables in force', async () => {
  expect(await simulated({ rules: [flight(2)] })).toEqual([
    { key: 'flight', before: once(3924), after: once(7848), notEvaluated: 0 },
  ]);
});

test('files read their own tables, with the keys of the past', async () => {
  expect(await simulated({ files: files(1, 4000) })).toEqual([
    { key: 'flight', before: once(3924), after: once(4000), notEvaluated: 0 },
  ]);
  expect(await simulated({ files: files(1, 3924) })).toEqual([
    { key: 'flight', before: once(3924), after: once(3924), notEvaluated: 0 },
  ]);
});

test('a check of files reads their tables and names the cell with a fault', async () => {
  const check = (input: Record<string, string>) =>
    world.server.as('program-manager').post('/rules/check', {
      files: Object.entries(input).map(([name, text]) => ({ path: name, text })),
    });
  expect((await check(files(1, 4000))).body).toEqual({ errors: [], warnings: [] });
  const faulty = { ...files(1, 4000), 'main/distances.csv': csv(4000).replace('143', '1.430') };
  expect((await check(faulty)).body.errors).toMatchObject([{ file: 'main/distances.csv', line: 3, column: 9 }]);
});

test('a past activity is explained by the row of its day, after the table has changed', async () => {
  writeFileSync(path.join(world.rulesDir, 'main', 'distances.csv'), csv(9999));
  await world.publish([distances, flight(1)]);
  const toldOf = async (id: string | undefined) =>
    (await world.server.as('reader').get(`/activityhistories/${id}/explain`)).body.ruleMatch;
  const cities = "the activity's ext.from and the activity's ext.to";
  expect(await toldOf(flights[0])).toMatchObject([{ key: 'flight', fired: true, granted: 3924 }]);
  expect(await toldOf(flights[1])).toMatchObject([
    {
      fired: false,
      sentence: `It needs that the zone in the table distances for ${cities} is "Atlantic": it was "Home".`,
    },
  ]);
});
