import { shorthands } from '#base/query/operators';
import { queryArguments } from '#base/query/parseQuery';
import { allRoutes } from '#server/routes';
import type { Client } from '../../support/client';
import { share } from '../../support/scale';
import { type Leaf, leavesOf } from './leaves';
import { kinds, openRichWorld, type RichWorld } from './richWorld';

let rich: RichWorld;
let api: Client;

beforeAll(async () => {
  rich = await openRichWorld();
  api = rich.world.server.as('admin');
});
afterAll(() => rich.world.close());

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

/** What an answer adds when it is read (docs/design/query.md). It is not stored, so no filter can name it. */
const isAdded = ({ path }: Leaf) => /Filter\.(?:query|count|inclusionParams\.\w+\.isSubDoc)$/.test(path);

/** What the answer of one record adds to that of a list. */
const ofOne: Record<string, RegExp> = { '/rules/proposals': /^(?:files|isOutdated)\b/ };

/** A record as it is shown. */
interface Shown {
  path: string;
  id: string;
  leaves: Leaf[];
}

async function shown(path: string, id: string): Promise<Shown> {
  const { status, body } = await api.get(`${path}/${id}`);
  expect([path, status]).toEqual([path, 200]);
  return { path, id, leaves: leavesOf(body).filter((leaf) => !isAdded(leaf) && !ofOne[path]?.test(leaf.path)) };
}

type AreFit = (leaves: readonly Leaf[]) => Promise<boolean>;

/** Tries many leaves at once, because there are thousands, and finds out by halves which ones fail. */
async function misfits(leaves: readonly Leaf[], areFit: AreFit): Promise<string[]> {
  const atOnce = 24;
  const waiting = Array.from({ length: Math.ceil(leaves.length / atOnce) }, (_unused, n) =>
    leaves.slice(n * atOnce, (n + 1) * atOnce),
  );
  const wrong: Leaf[] = [];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (await areFit(part)) continue;
    const middle = Math.ceil(part.length / 2);
    if (part.length === 1) wrong.push(...part);
    else waiting.push(part.slice(middle), part.slice(0, middle));
  }
  return wrong.map(({ place, value }) => `${place} ${value}`);
}

/** Tells whether a filter finds the record; undefined when it is refused. */
async function finds({ path, id }: Shown, filter: object, more = ''): Promise<boolean | undefined> {
  const { status, body } = await api.get(`${path}?query=${json({ _id: id, ...filter })}&select=_id${more}`);
  return status === 200 ? body.length === 1 : undefined;
}

/** The conditions that a leaf meets, and those that it does not. */
const met: Record<string, (value: Leaf['value']) => unknown> = {
  equality: (value) => value,
  $in: (value) => ({ $in: [value, value] }),
  $all: (value) => ({ $all: [value] }),
  'a range': (value) => (typeof value === 'boolean' ? value : { $gte: value, $lte: value }),
};
const unmet: Record<string, (value: Leaf['value']) => unknown> = {
  $ne: (value) => ({ $ne: value }),
  $nin: (value) => ({ $nin: [value] }),
  $not: (value) => ({ $not: { $eq: value } }),
};

/** Whether all leaves are found by a condition, or none by its contrary. */
function byCondition(record: Shown, name: string, by: 'path' | 'place' = 'path'): AreFit {
  const [meets, fails] = [met[name], unmet[name]];
  return async (leaves) => {
    const filters = leaves.map((leaf) => ({ [leaf[by]]: (meets ?? fails)?.(leaf.value) }));
    return (await finds(record, meets ? { $and: filters } : { $or: filters })) === (meets !== undefined);
  };
}

/** The leaves that `field=value` can name, in two groups without a field twice. A shorthand is no value. */
function asArguments(leaves: readonly Leaf[]): Leaf[][] {
  const isFit = ({ path, value }: Leaf) =>
    !queryArguments.some((each) => each === path) && !shorthands.some(({ prefix }) => String(value).startsWith(prefix));
  const groups: Leaf[][] = [];
  for (const leaf of leaves.filter(isFit)) {
    const group = groups.find((each) => !each.some(({ path }) => path === leaf.path));
    if (group) group.push(leaf);
    else if (groups.length < 2) groups.push([leaf]);
  }
  return groups;
}

async function misfitsOfArguments(record: Shown, leaves: readonly Leaf[], prefix = ''): Promise<string[]> {
  const wrong: string[] = [];
  for (const group of asArguments(leaves)) {
    wrong.push(
      ...(await misfits(group, async (some) => {
        const args = some.map(({ path, value }) => `&${path}=${encodeURIComponent(`${prefix}${value}`)}`);
        return (await finds(record, {}, args.join(''))) === true;
      })),
    );
  }
  return wrong;
}

/** The leaves whose value `distinct` does not list. Fields of the same list are asked together. */
async function misfitsOfDistinct({ path, id }: Shown, leaves: readonly Leaf[]): Promise<string[]> {
  const lists = new Map<string, string[]>();
  for (const field of new Set(leaves.map((leaf) => leaf.path))) {
    const list = field.split('.').slice(0, 2).join();
    lists.set(list, [...(lists.get(list) ?? []), field]);
  }
  const wrong: string[] = [];
  for (const fields of lists.values()) {
    for (let n = 0; n < fields.length; n += 4) {
      const some = fields.slice(n, n + 4);
      const { body } = await api.get(`${path}?query=${json({ _id: id })}&distinct=${some.join()}`);
      const values = (field: string) => body.map((row: Record<string, unknown>) => (some[1] ? row[field] : row));
      const missing = leaves.filter((leaf) => some.includes(leaf.path) && !values(leaf.path).includes(leaf.value));
      wrong.push(...missing.map(({ place, value }) => `${place} ${value}`));
    }
  }
  return wrong;
}

/** Each leaf once, whatever its position. */
function onceEach(leaves: readonly Leaf[]): Leaf[] {
  return [...new Map(leaves.map((leaf) => [`${leaf.path} ${leaf.value}`, leaf])).values()];
}

async function expectFound(record: Shown): Promise<void> {
  const leaves = onceEach(record.leaves);
  expect(leaves.length).toBeGreaterThan(5);
  expect({
    equality: await misfits(leaves, byCondition(record, 'equality')),
    $ne: await misfits(leaves, byCondition(record, '$ne')),
    'field=value': await misfitsOfArguments(record, leaves),
    distinct: await misfitsOfDistinct(record, leaves),
  }).toEqual({ equality: [], $ne: [], 'field=value': [], distinct: [] });
}

// The purchase is the richest history, so it is tried among the records.
test.each(
  share(
    kinds.filter((kind) => kind !== 'purchase'),
    2,
  ),
)('every leaf of a history is found by its value: %s', async (name) => {
  await expectFound(await shown('/activityhistories', rich.histories[name]));
});

const lists = allRoutes
  .filter(({ method, path, openQuery }) => method === 'GET' && openQuery && !/:|\/count$/.test(path))
  .map(({ path }) => path);

test.each(share(lists, 4))('every leaf of a record is found by its value: %s', async (path) => {
  const { body } = await api.get(`${path}?query=${json({ createdAt: { $gte: '2000-01-01T00:00:00.000Z' } })}`);
  const [richest] = [...body].sort((a, b) => leavesOf(b).length - leavesOf(a).length);
  await expectFound(await shown(path, richest._id));
});

test.each(share([...Object.keys(met), ...Object.keys(unmet)], 2))(
  '%s selects correctly for every leaf of a history',
  async (name) => {
    const record = await shown('/activityhistories', rich.histories.purchase);
    expect(await misfits(onceEach(record.leaves), byCondition(record, name))).toEqual([]);
  },
);

test.each(['>=', '<='])('the prefix %s selects correctly for every ordered leaf of a history', async (prefix) => {
  const record = await shown('/activityhistories', rich.histories.purchase);
  const ordered = onceEach(record.leaves).filter(({ value }) => typeof value !== 'boolean');
  expect(await misfitsOfArguments(record, ordered, prefix)).toEqual([]);
});

test('every leaf of a history is found at its position in lists', async () => {
  const record = await shown('/activityhistories', rich.histories.purchase);
  expect(await misfits(record.leaves, byCondition(record, 'equality', 'place'))).toEqual([]);
});

test('a cancel validates every leaf of its original, and a cancel by query selects by it', async () => {
  const { id, leaves } = await shown('/activityhistories', rich.histories.purchase);
  const cancel = async (filter: object) => {
    const { body } = await api.post(`/activity/${id}/cancel?persist=false&validate=${json(filter)}`);
    return body.result.errors.map(({ code }: { code: number }) => code).join();
  };
  const some = onceEach(leaves);
  const valid: AreFit = async (part) =>
    (await cancel({ $and: part.map(({ path, value }) => ({ [path]: value })) })) === '';
  const invalid: AreFit = async (part) =>
    (await cancel({ $or: part.map(({ path, value }) => ({ [path]: { $ne: value } })) })) === '2320';
  expect([await misfits(some, valid), await misfits(some, invalid)]).toEqual([[], []]);
  const ticket = leaves.find(({ path }) => path === 'result.data.activityId')?.value;
  const { body } = await api.post(
    `/activity/query/cancel?persist=false&query=${json({ 'result.data.activityId': ticket })}`,
  );
  expect(body).toMatchObject([{ result: { errors: [], data: { status: 'Processed' } } }]);
});
