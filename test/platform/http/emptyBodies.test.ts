import { record } from '#base/schema/atoms';
import { compileCheck } from '#base/schema/parse';
import { allRoutes } from '#server/routes';

/** A list or an object in the body of a route, and what is sent for nothing. */
interface Holder {
  route: string;
  name: string;
  isRefused: boolean;
}

const writes = allRoutes.filter(({ body }) => body !== undefined);

/** All lists and objects that bodies hold, with whether the schema refuses an empty one. */
const holders = writes.flatMap((route): Holder[] => {
  const body: Record<string, unknown> = { ...route.body };
  const isEmptyRefused = (schema: Record<string, unknown>, empty: unknown) => {
    // Below a field, so that the schema may have a default.
    return compileCheck(record({ field: schema as never }))({ field: empty }).length > 0;
  };
  const at = `${route.method} ${route.path}`;
  if (body.type === 'array') return [{ route: at, name: '', isRefused: isEmptyRefused(body, []) }];
  return Object.entries<Record<string, unknown>>(Object(body.properties)).flatMap(([name, schema]) => {
    const types = [schema.type].flat();
    const empties = [...(types.includes('array') ? [[]] : []), ...(types.includes('object') ? [{}] : [])];
    return empties.map((empty) => ({ route: at, name, isRefused: isEmptyRefused(schema, empty) }));
  });
});

/**
 * What an empty list or object means where it is taken. None of them means "all", but where a restriction is left out:
 * an empty filter, an empty time or an empty exclusion restricts nothing, as if it were not there.
 */
const meanings: Record<string, string> = {
  columns: 'every column has the name of its field',
  constants: 'no field has the same value in every row',
  roles: 'no rights',
  permissions: 'no rights',
  segments: 'in no segment',
  tags: 'no tags',
  ids: 'a list of nothing: nothing is on it',
  ext: 'no extension fields',
  address: 'no address',
  levels: 'no levels',
  tenderItems: 'no payments',
  lineItems: 'no line items; a Cancellation is refused (test/activities/emptyParts.test.ts)',
  productFilter: 'restricts nothing (decision 7)',
  locationFilter: 'restricts nothing (decision 7)',
  effective: 'no bounds',
  uses: 'no bounds',
  offerLimits: 'no bounds',
  excludes: 'excludes nothing',
  query: 'refused: it must name at least one field',
  activity: 'refused: an activity has a type',
};

test('every empty list and object of a body is refused, or its meaning is written down', () => {
  expect(holders.length).toBeGreaterThan(150);
  const open = holders.filter(({ name, isRefused }) => !isRefused && meanings[name] === undefined);
  expect(open.map(({ route, name }) => `${route} ${name}`)).toEqual([]);
});

test('an empty list of the targets of a request is refused', () => {
  const acted = ['', 'memberIds', 'members', 'events', 'files', 'rules'];
  const found = holders.filter(({ name }) => acted.includes(name));
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(acted));
  expect(found.filter(({ isRefused }) => !isRefused)).toEqual([]);
});

test('every written meaning belongs to a body', () => {
  const names = new Set(holders.map(({ name }) => name));
  expect(Object.keys(meanings).filter((name) => !names.has(name))).toEqual([]);
});
