import { ServiceError } from '#base/common/errors';
import { applyDefinitions } from '#exchange/definitions/applyDefinitions';
import { planDefinitions } from '#exchange/definitions/planDefinitions';
import { planReport } from '#exchange/definitions/planReport';
import { readDefinitionFile } from '#exchange/definitions/readDefinitionFile';
import { readStoredDefinitions } from '#exchange/definitions/storedDefinitions';
import { ofEachKind } from '../support/scale';
import { addWorld, openWorld, type World } from '../support/world';
import { importing } from './imports/importing';

/** A request, an import and a definition file write the same record, with the same entries in the audit log. */
type Body = Record<string, unknown>;
/** Writes a record, a new one or that of its key. Returns the paths and kinds of the faults when it is refused. */
type Door = (world: World, path: string, body: Body) => Promise<string[]>;

const keys: Readonly<Record<string, string>> = { products: 'sku', locations: 'number', members: 'loyaltyID' };

const request: Door = async ({ server }, path, body) => {
  const admin = server.as('ledger-admin');
  const key = keys[path] ?? '';
  const filter = encodeURIComponent(JSON.stringify({ [key]: body[key] }));
  const known = typeof body[key] === 'string' ? (await admin.get(`/${path}?query=${filter}`)).body[0] : undefined;
  const answer = known ? await admin.put(`/${path}/${known._id}`, body) : await admin.post(`/${path}`, body);
  return faultsOf(answer.body.errors);
};

const importRow: Door = async (world, kind, body) => {
  const { post, run, read } = importing(world);
  const started = (await post({ kind, format: 'ndjson', content: JSON.stringify(body) })).body;
  await run();
  if ((await read(started._id)).failed === 0) return [];
  const { body: failed } = await world.server.as('ledger-admin').get(`/imports/${started._id}/errors`);
  return faultsOf((typeof failed === 'string' ? JSON.parse(failed) : failed)['#errors']);
};

const definitionFile: Door = async ({ services }, path, body) => {
  const file = readDefinitionFile(JSON.stringify({ [path]: [body] }));
  const { principal } = services.users['ledger-admin'];
  const stored = await readStoredDefinitions(services.db, principal.org, file.sections);
  const agreed = planReport(planDefinitions(file, stored, false).plan);
  try {
    await applyDefinitions({ services, principal, file, prune: false, agreed });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return faultsOf(error.details.errors).map((fault) => fault.replace(/^\w+\[0\]\.?/, ''));
  }
};

function faultsOf(errors: readonly { path: string; kind: string }[] = []): string[] {
  return errors.map(({ path, kind }) => `${path} ${kind}`).sort();
}

const doors = { request, importRow, definitionFile };

const full = {
  products: { sku: 'TEA-1', name: 'Tea', tags: ['hot'], price: 250, ext: { colour: 'blue', sizes: [1, { eu: 38 }] } },
  locations: { number: 'S-1', name: 'Store', tags: ['north'], ext: { colour: 'blue' } },
  members: { loyaltyID: 'M-1', program: 'main', firstName: 'Mei', ext: { colour: 'blue' } },
};

interface Case {
  path: keyof typeof full;
  at: readonly (keyof typeof doors)[];
}

const everyDoor = ['request', 'importRow', 'definitionFile'] as const;
const cases: Case[] = [
  { path: 'products', at: everyDoor },
  { path: 'locations', at: everyDoor },
  { path: 'members', at: ['request', 'importRow'] },
];

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world.close());

/** What is stored and audited of a resource after the same writes at a door, in an org of its own. */
async function writtenAt(door: Door, path: Case['path'], bodies: readonly Body[]) {
  const own = await addWorld(world, { rules: [] });
  const named = path === 'members' && door === request ? { program: own.program._id } : {};
  const faults: string[][] = [];
  for (const body of bodies) faults.push(await door(own, path, { ...body, ...named }));
  const { db, org } = own.services;
  const records = await db.collection(path).find({ org: org._id }).sort({ _id: 1 }).toArray();
  const entries = await db.collection('auditlog').find({ org: org._id, resource: path }).sort({ seq: 1 }).toArray();
  const events = await db.collection('events').find({ org: org._id }).sort({ _id: 1 }).toArray();
  return {
    faults,
    records: records.map(comparable),
    audit: entries.map(({ action, changed, before, after }) => comparable({ action, changed, before, after })),
    events: events.map(({ type, data }) => comparable({ type, data })),
  };
}

/** Ids, dates and codes of their own become the same text. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (name, each) => (['referralCode', 'refCodeKey'].includes(name) ? 'a code' : each));
  return JSON.parse(text.replace(/[0-9a-f]{24}/g, 'an id').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment'));
}

async function expectSame({ path, at }: Case, bodies: readonly Body[]) {
  const [first, ...others] = await Promise.all(at.map((name) => writtenAt(doors[name], path, bodies)));
  for (const other of others) expect(other).toEqual(first);
  return first;
}

test.each(cases)(
  '$path: creation, change and an unchanged write have one result by API, import and definitions file',
  async (each) => {
    const made = full[each.path];
    const changed = { ...made, ext: { colour: 'red' } };
    const written = await expectSame(each, [made, made, changed]);
    expect(written).toMatchObject({ faults: [[], [], []], records: [{ ext: { colour: 'red' } }] });
    expect(written?.audit.length).toBe(each.path === 'members' ? 0 : 2);
  },
);

const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) });
const wide = Object.fromEntries(Array.from({ length: 1001 }, (_unused, n) => [`k${n}`, n]));

const refused = cases.flatMap((each) => [
  { ...each, what: 'control characters', wrong: { ext: { text: 'a\u0000b' } } },
  { ...each, what: 'a lone surrogate', wrong: { ext: { text: '\ud800' } } },
  { ...each, what: 'too many values', wrong: { ext: wide } },
  { ...each, what: 'an ext of another type', wrong: { ext: [1] } },
  { ...each, what: 'an unknown field', wrong: { strange: 1 } },
]);

test.each(ofEachKind(refused, ({ what }) => what))(
  '$path with $what is refused with equal faults by API, import and definitions file',
  async ({ wrong, what: _what, ...each }) => {
    const written = await expectSame(each, [{ ...full[each.path], ...wrong }]);
    expect(written).toMatchObject({ records: [], audit: [], events: [] });
    expect(written?.faults).not.toEqual([[]]);
  },
);

test.each(cases)(
  '$path that is nested too deep is stored neither by API, import nor definitions file',
  async ({ path, at }) => {
    for (const name of at) {
      const { records, audit } = await writtenAt(doors[name], path, [{ ...full[path], ext: deep(60) }]);
      expect([name, records, audit]).toEqual([name, [], []]);
    }
  },
);
