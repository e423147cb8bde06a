import type { Client } from '../../support/client';
import { ofEachKind } from '../../support/scale';
import { openWorld, type World } from '../../support/world';

/** What names something by a text, from the contract (docs/design/definitions.md, "Names in texts"). */
interface Pair {
  title: string;
  /** The named record, and a change that takes its name away. */
  named: { path: string; body(): object; rename?: object };
  /** The record that names it, given the id of the other. */
  namer: { path: string; body(id: string): object; called: string; at: string };
}

let world: World;
let admin: Client;
let program: string;
beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{}] });
  admin = world.server.as('admin');
  program = world.program._id.toHexString();
  for (const model of ['Member', 'Location', 'Product', 'Activity', 'LineItem', 'AccrualItem']) {
    schemas.set(model, (await admin.post('/extschemas', { model, name: 'Own' })).body._id);
  }
});
afterAll(() => world.close());

/** The ids of ext schemas by their models. */
const schemas = new Map<string, string>();

let n = 0;
const purse = (name: string) => ({ path: 'pursepolicies', body: () => ({ program, name }), rename: { name: 'Else' } });
const level = { path: 'tierpolicies', body: () => ({ program, name: 'Card', levels: [gold] }) };
const extDef = (model: string, rename: object = { field: 'sizes' }) => ({
  path: 'extdefs',
  body: () => ({ extSchema: schemas.get(model), field: 'size', type: 'string' }),
  rename,
});
const inSegment = (query: (id: string) => object) => ({
  path: 'segments',
  called: 'segments "By',
  at: 'query',
  body: segment(query),
});
const inList = (model: string, query: (id: string) => object) => ({
  path: 'namedlists',
  called: 'namedlists "By',
  at: 'query',
  body: list(model, query),
});
const inMapping = (kind: string, at: string, rest: (id: string) => object) => ({
  path: 'importmappings',
  called: 'importmappings "M',
  at,
  body: (id: string) => ({ name: `M${n}`, kind, ...rest(id) }),
});
const gold = { name: 'Gold', number: 1, threshold: 1 };
const segment = (query: (id: string) => object) => (id: string) => ({
  name: `By ${n}`,
  kind: 'query',
  query: query(id),
});
const list = (model: string, query: (id: string) => object) => (id: string) => ({ ...segment(query)(id), model });
const offer = (fields: (id: string) => object) => (id: string) => ({
  program,
  code: `O${n}`,
  name: 'An offer',
  ...fields(id),
});
const policy = (fields: object) => () => ({ program, name: `P${n}`, levels: [gold], ...fields });

const queries = (what: string) =>
  [
    ['purses.name', (name: string) => ({ 'purses.name': name })],
    [`${what} in $in`, (name: string) => ({ 'purses.name': { $in: ['Points', name] } })],
    [`${what} in $elemMatch`, (name: string) => ({ purses: { $elemMatch: { name } } })],
    [`${what} at a position`, (name: string) => ({ 'purses.0.name': name })],
    [`${what} within $not`, (name: string) => ({ 'purses.0.name': { $not: { $in: [name] } } })],
    [`${what} in $or`, (name: string) => ({ $or: [{ status: 'Active' }, { 'purses.name': name }] })],
  ] as const;

const pairs: Pair[] = [
  ...['pointsEarned', 'pointsRedeemed', 'pointsExpired'].map((metric) => ({
    title: `a purse in the basis ${metric}`,
    named: purse('Miles'),
    namer: {
      path: 'tierpolicies',
      called: 'tierpolicies "P',
      at: 'basis.metric',
      body: () => policy({ basis: { metric: `${metric}:Miles`, period: 'year' } })(),
    },
  })),
  {
    title: 'a purse in a lifetime metric of a level',
    named: purse('Miles'),
    namer: {
      path: 'tierpolicies',
      called: 'tierpolicies "P',
      at: 'levels.0.lifetime.metric',
      body: () => policy({ levels: [{ ...gold, lifetime: { metric: 'pointsEarned:Miles', atLeast: 9 } }] })(),
    },
  },
  ...queries('a purse').flatMap(([title, query]) => [
    {
      title: `a segment with ${title}`,
      named: purse('Miles'),
      namer: { path: 'segments', called: 'segments "By', at: 'query', body: segment(() => query('Miles')) },
    },
    {
      title: `a list of members with ${title}`,
      named: purse('Miles'),
      namer: { path: 'namedlists', called: 'namedlists "By', at: 'query', body: list('Member', () => query('Miles')) },
    },
  ]),
  {
    title: 'a tier policy in a segment',
    named: { ...level, rename: { name: 'Else' } },
    namer: { path: 'segments', called: 'segments "By', at: 'query', body: segment(() => ({ 'tiers.name': 'Card' })) },
  },
  {
    title: 'a level in a segment',
    named: { ...level, rename: { levels: [{ ...gold, name: 'Or' }] } },
    namer: {
      path: 'segments',
      called: 'segments "By',
      at: 'query',
      body: segment(() => ({ 'tiers.level.name': 'Gold' })),
    },
  },
  {
    title: 'a segment in a segment, by its id',
    named: { path: 'segments', body: () => ({ name: `S${n}` }) },
    namer: { path: 'segments', called: 'segments "By', at: 'query', body: segment((id) => ({ segments: id })) },
  },
  ...(
    [
      [{ path: 'segments', body: () => ({ name: `S${n}` }) }, (id: string) => ({ 'segments.0': id })],
      [purse('Miles'), (id: string) => ({ 'purses.policyId': id })],
      [purse('Miles'), (id: string) => ({ purses: { $elemMatch: { policyId: { $in: [id] }, balance: { $gt: 5 } } } })],
      [purse('Miles'), (id: string) => ({ 'purses.1.policyId': id.toUpperCase() })],
      [level, (id: string) => ({ 'tiers.policyId': { $ne: id } })],
      [level, () => ({ 'tiers.0.level.name': 'Gold' })],
      [level, () => ({ 'tiers.0.name': 'Card' })],
    ] as const
  ).map(([{ path, body }, query]) => ({
    title: `one of ${path} in a segment by ${JSON.stringify(query('<id>'))}`,
    named: { path, body },
    namer: inSegment(query),
  })),
  ...(
    [
      ['Offer', 'program'],
      ['Reward', 'program'],
      ['Member', 'program'],
      ['ActivityHistory', 'program'],
    ] as const
  ).map(([model, field]) => ({
    title: `a program in a list of ${model}`,
    named: { path: 'programs', body: () => ({ code: `p${n}`, name: 'Other' }) },
    namer: inList(model, (id) => ({ [field]: id })),
  })),
  {
    title: 'a product in a list by its id',
    named: { path: 'products', body: () => ({ sku: 'TEA-1', name: 'Tea' }) },
    namer: inList('Product', (id) => ({ _id: { $in: [id] } })),
  },
  {
    title: 'a purse in a column of a mapping',
    named: purse('Miles'),
    namer: inMapping('members', 'columns.0.field', () => ({ columns: [{ column: 'B', field: 'balance:Miles' }] })),
  },
  ...['tier:Card', 'tierUntil:Card'].map((field) => ({
    title: `a tier policy in the column ${field} of a mapping`,
    named: { ...level, rename: { name: 'Else' } },
    namer: inMapping('members', 'columns.0.field', () => ({ columns: [{ column: 'B', field }] })),
  })),
  ...(['Member', 'Location', 'Product', 'Activity', 'AccrualItem'] as const).map((model, kind) => ({
    title: `an ext def of ${model} in a column of a mapping`,
    named: extDef(model),
    namer: inMapping(
      ['members', 'locations', 'products', 'activities', 'accrualitems'][kind] ?? '',
      'columns.0.field',
      () => ({
        columns: [{ column: 'B', field: 'ext.size' }],
      }),
    ),
  })),
  ...(
    [
      [{ ...level, rename: { levels: [{ ...gold, name: 'Or' }] } }, 'members', 'tier:Card', () => 'Gold'],
      [{ path: 'programs', body: () => ({ code: `p${n}`, name: 'Other' }) }, 'members', 'program', () => `p${n}`],
      [{ path: 'programs', body: () => ({ code: `p${n}`, name: 'Other' }) }, 'members', 'program', (id: string) => id],
      [{ path: 'segments', body: () => ({ name: `S${n}` }) }, 'members', 'segments', (id: string) => `["${id}"]`],
      [purse('Miles'), 'accrualitems', 'purse', () => 'Miles'],
      [
        { path: 'rewards', body: () => ({ program, code: 'CUP', name: 'Cup' }), rename: { code: 'MUG' } },
        ...(['coupons', 'reward', () => 'CUP'] as const),
      ],
      ...(
        [
          ['type', 'enums', { type: 'ActivityType', value: 'Visit' }, { value: 'Visits' }],
          ['srcChannelType', 'enums', { type: 'ChannelType', value: 'Visit' }, { value: 'Visits' }],
          ['srcChannelID', 'locations', { number: 'Visit', name: 'Shop' }, { number: 'Visits' }],
          ['partnerCode', 'partners', { code: 'Visit', name: 'Air' }, { code: 'Visits' }],
        ] as const
      ).map(
        ([field, path, body, rename]) =>
          [{ path, body: () => body, rename }, 'activities', field, () => 'Visit'] as const,
      ),
    ] as const
  ).map(([named, kind, field, value]) => ({
    title: `one of ${named.path} in the constant ${field}=${value('<id>')} of a mapping`,
    named,
    namer: inMapping(kind, 'constants.0.value', (id) => ({ constants: [{ field, value: value(id) }] })),
  })),
  ...[{ field: 'sizes' }, { type: 'number' }].flatMap((rename) => [
    ...[
      { 'ext.size': 'big' },
      { 'ext.size': { $exists: true } },
      { 'ext.size.0': { $regex: '^b' } },
      { $or: [{ status: 'Active' }, { $nor: [{ 'ext.size': { $gt: 3 } }] }] },
    ].map((query) => ({
      title: `an ext def in a segment by ${JSON.stringify(query)}, against ${JSON.stringify(rename)}`,
      named: extDef('Member', rename),
      namer: inSegment(() => query),
    })),
    ...(
      [
        ['Member', 'Member', 'ext.size'],
        ['Location', 'Location', 'ext.size'],
        ['Activity', 'ActivityHistory', 'ext.size'],
        ['LineItem', 'ActivityHistory', 'lineItems.0.ext.size'],
      ] as const
    ).map(([model, of, path]) => ({
      title: `an ext def of ${model} in a list, against ${JSON.stringify(rename)}`,
      named: extDef(model, rename),
      namer: inList(of, () => ({ [path]: 'big' })),
    })),
    ...(['Product', 'Location'] as const).map((model) => ({
      title: `an ext def of ${model} in a filter, against ${JSON.stringify(rename)}`,
      named: extDef(model, rename),
      namer: {
        path: 'offers',
        called: 'offers "O',
        at: `${model.toLowerCase()}Filter`,
        body: offer(() => ({
          [`${model.toLowerCase()}Filter`]: { inclusionParams: { 'ext.size': { searchStr: 'big' } } },
        })),
      },
    })),
  ]),
  ...(
    [
      ['products', 'Product', 'sku', 'productFilter', () => ({ sku: 'TEA-1', name: 'Tea' })],
      ['locations', 'Location', 'number', 'locationFilter', () => ({ number: 'TEA-1', name: 'Shop' })],
    ] as const
  ).flatMap(([path, model, key, filter, body]) => [
    ...['offers'].map((offers) => ({
      title: `${path} in the ${filter} of ${offers}`,
      named: { path, body, rename: { [key]: 'TEA-2' } },
      namer: {
        path: offers,
        called: `${offers} "O`,
        at: filter,
        body: offer(() => ({ [filter]: { inclusionParams: { [key]: { searchStr: 'TEA-1, TEA-9' } } } })),
      },
    })),
    {
      title: `${path} in a ${filter} by id`,
      named: { path, body },
      namer: {
        path: 'offers',
        called: 'offers "O',
        at: filter,
        body: offer((id) => ({ [filter]: { inclusionParams: { _id: { ids: [id] } } } })),
      },
    },
    {
      title: `${path} in a list by query`,
      named: { path, body, rename: { [key]: 'TEA-2' } },
      namer: {
        path: 'namedlists',
        called: 'namedlists "By',
        at: 'query',
        body: list(model, () => ({ [key]: { $in: ['TEA-1'] } })),
      },
    },
  ]),
];

const kindOf = ({ named, namer }: Pair) => `${named.path} ${namer.path}`;

test.each(ofEachKind(pairs, kindOf))('$title stays while it is named', async ({ named, namer }) => {
  n += 1;
  const made = await admin.post(`/${named.path}`, named.body());
  expect(made.status).toBe(201);
  const one = `/${named.path}/${made.body._id}`;
  const by = await admin.post(`/${namer.path}`, namer.body(made.body._id));
  expect([by.body, by.status]).toEqual([expect.anything(), 201]);
  const inUse = {
    status: 422,
    body: { errors: [expect.objectContaining({ kind: 'inUse', message: expect.stringContaining(namer.called) })] },
  };
  expect(await admin.delete(one)).toMatchObject(inUse);
  if (named.rename) {
    const refused = await admin.patch(one, named.rename);
    expect(refused).toMatchObject(inUse);
    expect(refused.body.errors[0].message).toContain(` in ${namer.at}`);
  }
  expect((await admin.get(`/${namer.path}/${by.body._id}`)).body).toEqual(by.body);
  expect((await admin.delete(`/${namer.path}/${by.body._id}`)).status).toBe(204);
  if (named.rename) expect((await admin.patch(one, named.rename)).status).toBe(200);
  expect((await admin.delete(one)).status).toBe(204);
});

test.each(['pointsEarned:Nope', 'pointsearned', 'PointsEarned:Points', 'pointsErned:Points', 'spend:Points', 'Spend'])(
  'a tier policy on the metric %s is refused',
  async (metric) => {
    const body = policy({ basis: { metric, period: 'year' } })();
    expect(await admin.post('/tierpolicies', body)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'basis.metric', kind: 'reference' }] },
    });
  },
);

test.each(['pointsEarned', 'pointsEarned:Points', 'spend', 'visits', 'stamps', 'pointsOfJudges'])(
  'a tier policy on the metric %s is made',
  async (metric) => {
    n += 1;
    expect((await admin.post('/tierpolicies', policy({ basis: { metric, period: 'year' } })())).status).toBe(201);
  },
);

test.each([
  { 'purses.name': 'Nope' },
  { 'tiers.name': 'Nope' },
  { 'tiers.level.name': { $ne: 'Nope' } },
  { segments: '0123456789abcdef01234567' },
  { 'segments.0': '0123456789abcdef01234567' },
  { 'purses.0.name': 'Nope' },
  { 'tiers.0.level.name': 'Nope' },
  { 'purses.policyId': '0123456789abcdef01234567' },
  { tiers: { $elemMatch: { policyId: '0123456789abcdef01234567' } } },
  { program: '0123456789abcdef01234567' },
])('a segment by the query %j is refused', async (query) => {
  expect(await admin.post('/segments', { name: 'Nope', kind: 'query', query })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'query', kind: 'reference' }] },
  });
});

test.each([
  { 'purses.name': { $gte: 'Nope', $lte: 'Nope' } },
  { 'purses.name': { $regex: '^Nope' } },
  { 'ext.nothingDefined': 'x' },
])('a segment by the query %j names nothing', async (query) => {
  n += 1;
  expect((await admin.post('/segments', { name: `Free ${n}`, kind: 'query', query })).status).toBe(201);
});

test('the model of an ext schema cannot change while it has definitions', async () => {
  const path = `/extschemas/${schemas.get('Member')}`;
  const def = (await admin.post('/extdefs', extDef('Member').body())).body._id;
  const refused = { status: 422, body: { errors: [{ path: 'model', kind: 'inUse' }] } };
  expect(await admin.put(path, { model: 'Location' })).toMatchObject(refused);
  expect((await admin.put(path, { name: 'Renamed' })).status).toBe(200);
  expect((await admin.delete(`/extdefs/${def}`)).status).toBe(204);
  expect((await admin.put(path, { model: 'Location' })).status).toBe(200);
});
