import type { TSchema } from '@sinclair/typebox';
import { timezones, zoneInStore } from '#base/calendar/timezones';
import { definitionChecks } from '#commands/doctor/definitionChecks';
import { runChecks } from '#commands/doctor/runChecks';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { refusals } from '../../support/refusals';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], policies: [{ primary: true }] });
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');

/** The dotted paths of the leaves of a schema that are called a time zone. */
function zonesIn(schema: TSchema | undefined, place: string): { place: string; isChecked: boolean }[] {
  const fields = Object.entries<TSchema>(schema?.properties ?? {});
  const below = [...fields, ...(schema?.items ? [['', schema.items] as const] : [])];
  return below.flatMap(([name, field]) => {
    const own = /timezone/i.test(name) ? [{ place: `${place}.${name}`, isChecked: Boolean(field['x-timezone']) }] : [];
    return [...own, ...zonesIn(field, `${place}.${name}`)];
  });
}

test('every time zone of a record or a body is checked by the list', () => {
  const bodies = allRoutes.flatMap(({ method, path, body }) =>
    zonesIn(body as TSchema | undefined, `${method} ${path}`),
  );
  const stored = resources.flatMap(({ path, shape }) => zonesIn(shape, path));
  expect([...bodies, ...stored].filter(({ isChecked }) => !isChecked)).toEqual([]);
  expect(stored.map(({ place }) => place).sort()).toEqual([
    'importmappings.timezone',
    'imports.mapping.timezone',
    'locations.timezone',
    'programs.timezone',
  ]);
});

const makers = [
  ['programs', (n: number) => ({ code: `z${n}`, name: 'Zone' })],
  ['locations', (n: number) => ({ number: `z${n}`, name: 'Zone' })],
] as const;
let made = 0;
function next(): number {
  made += 1;
  return made;
}

test.each(makers)('%s store one spelling, by POST, PUT and PATCH, and refuse offsets', async (path, fields) => {
  for (const [sent, stored] of [
    ['europe/berlin', 'Europe/Berlin'],
    ['US/Eastern', 'America/New_York'],
  ] as const) {
    const { status, body } = await admin().post(`/${path}`, { ...fields(next()), timezone: sent });
    expect([status, body.timezone]).toEqual([201, stored]);
    const own = `/${path}/${body._id}`;
    expect((await admin().put(own, { timezone: 'asia/calcutta' })).body.timezone).toBe('Asia/Kolkata');
    expect((await admin().patch(own, { timezone: sent })).body.timezone).toBe(stored);
    for (const refused of ['+02:00', 'UTC+2', 'local', ' ']) {
      expect(refusals(await admin().put(own, { timezone: refused }))).toEqual(['timezone format']);
      const created = await admin().post(`/${path}`, { ...fields(next()), timezone: refused });
      expect(refusals(created)).toEqual(['timezone format']);
    }
    expect((await admin().get(own)).body.timezone).toBe(stored);
  }
});

async function storeZone(timezone: string) {
  await world.services.db.collection('programs').updateOne({ _id: world.program._id }, { $set: { timezone } });
  // Any write of a definition tells the processes to read them again.
  await admin().post('/enums', { type: 'SalesUOM', value: `U${next()}` });
}

const postOne = () =>
  admin().post('/activity', { type: 'Accrual', loyaltyID: 'Z', value: 5, externalTxnId: `z${next()}` });

test('a program with a zone of an earlier version works; with no zone it says so, and doctor names it', async () => {
  await world.addMember({ loyaltyID: 'Z' });
  const path = `/programs/${world.program._id}`;
  const check = async () => {
    const { db, redis, config } = world.services;
    const at = { db, redis, config, isEmbedded: false, now: new Date(), nodeVersion: process.version };
    return (await runChecks(at, [definitionChecks])).find(({ name }) => name === 'definitions.timezones');
  };
  expect(await check()).toMatchObject({ status: 'ok' });
  for (const zone of ['us/eastern', '+02:00', '-0330']) {
    await storeZone(zone);
    expect(await postOne()).toMatchObject({ status: 200, body: { result: { data: { status: 'Processed' } } } });
    expect(
      (
        await admin().get(
          `/reports/program?program=${world.program._id}&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`,
        )
      ).status,
    ).toBe(200);
    expect((await admin().get(path)).body.timezone).toBe(zone);
    expect(await check()).toMatchObject({ status: 'warning', found: expect.stringContaining(`main (${zone})`) });
  }
  await storeZone('+02:00');
  expect(refusals(await admin().put(path, { timezone: 'Europe/Berlin' }))).toEqual(['timezone inUse']);
  expect((await admin().put(path, { timezone: 'Etc/GMT-2' })).body.timezone).toBe('Etc/GMT-2');
  await storeZone('Mars/Base');
  expect(await check()).toMatchObject({ status: 'failure', found: expect.stringContaining('main (Mars/Base)') });
  const refused = await postOne();
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('Mars/Base')]);
});

test('MongoDB knows every zone of the list by its stored name', async () => {
  const days = [...timezones, '+05:45', '-0330', '+02:00'].map(
    (zone, n) => [`zone${n}`, { $dateTrunc: { date: new Date(0), unit: 'day', timezone: zoneInStore(zone) } }] as const,
  );
  const { db } = world.services;
  const [found = {}] = await db
    .collection('orgs')
    .aggregate([{ $limit: 1 }, { $project: Object.fromEntries(days) }])
    .toArray();
  expect(Object.keys(found).length).toBe(days.length + 1);
});
