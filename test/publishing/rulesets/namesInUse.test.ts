import type { Client } from '../../support/client';
import { refusals } from '../../support/refusals';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
let admin: Client;
let program: string;
/** The ids of ext schemas by their models. */
const schemas = new Map<string, string>();
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], policies: [{}, { name: 'Miles' }] });
  admin = world.server.as('admin');
  program = world.program._id.toHexString();
  for (const model of ['Member', 'Activity'])
    schemas.set(model, (await admin.post('/extschemas', { model, name: 'Own' })).body._id);
});
afterAll(() => world.close());

const made = async (path: string, body: object): Promise<string> => {
  const { status, body: answer } = await admin.post(`/${path}`, body);
  expect(status).toBe(201);
  return answer._id;
};
const naming = (fields: object) => ({ ...earnRule, key: 'names', activityTypes: ['Accrual'], ...fields });
const comparing = (fact: string, path: string, operator: string, value: unknown) =>
  naming({ conditions: { all: [{ fact, path, operator, value }] } });
const levels = [
  { name: 'Silver', number: 1, threshold: 1 },
  { name: 'Gold', number: 2, threshold: 2 },
];

interface Named {
  path: string;
  body: () => object;
  rule: () => object;
  /** A body that changes the name. `refused` is the field in the error. */
  rename: object;
  refused: string;
}

const extDef = (model: string, rename: object, refused: string) => ({
  path: 'extdefs',
  body: () => ({ extSchema: schemas.get(model), field: 'mark', type: 'string' }),
  rename,
  refused,
});

const cases: Named[] = [
  ...(
    [
      [{ field: 'marks' }, 'field'],
      [{ type: 'number' }, 'type'],
    ] as const
  ).flatMap(([rename, refused]) => [
    {
      ...extDef('Member', rename, refused),
      rule: () => naming({ actions: [{ type: 'setExt', on: 'member', values: { mark: 'hello' } }] }),
    },
    { ...extDef('Activity', rename, refused), rule: () => comparing('activity', '$.ext.mark', 'equal', 'gold') },
  ]),
  {
    path: 'offers',
    body: () => ({ code: 'TEN', name: 'Ten', program }),
    rename: { code: 'X' },
    refused: 'code',
    rule: () => naming({ actions: [{ type: 'applyOffer', offer: 'TEN' }] }),
  },
  {
    path: 'rewards',
    body: () => ({ code: 'CUP', name: 'Cup', program }),
    rename: { code: 'X' },
    refused: 'code',
    rule: () => naming({ actions: [{ type: 'issueReward', reward: 'CUP' }] }),
  },
  {
    path: 'segments',
    body: () => ({ name: 'Fans' }),
    rename: { name: 'X' },
    refused: 'name',
    rule: () => naming({ segments: ['Fans'] }),
  },
  {
    path: 'segments',
    body: () => ({ name: 'Added' }),
    refused: 'kind',
    rename: { kind: 'query', query: { locale: 'fr' } },
    rule: () => naming({ actions: [{ type: 'addSegment', segment: 'Added' }] }),
  },
  {
    path: 'namedlists',
    body: () => ({ name: 'Shops', ids: [] }),
    rename: { name: 'X' },
    refused: 'name',
    rule: () => comparing('activity', '$.locationId', 'inNamedList', 'Shops'),
  },
  {
    path: 'products',
    body: () => ({ sku: 'TEA', name: 'Tea' }),
    rename: { sku: 'X' },
    refused: 'sku',
    rule: () => comparing('activity', '$.lineItems[*].itemSKU', 'contains', 'TEA'),
  },
  {
    path: 'locations',
    body: () => ({ number: 'S-1', name: 'A' }),
    rename: { number: 'X' },
    refused: 'number',
    rule: () => comparing('location', '$.number', 'equal', 'S-1'),
  },
  {
    path: 'partners',
    body: () => ({ code: 'AIR', name: 'Air' }),
    rename: { code: 'X' },
    refused: 'code',
    rule: () => comparing('partner', '$.code', 'equal', 'AIR'),
  },
  {
    path: 'tierpolicies',
    body: () => ({ name: 'Status', program, levels }),
    refused: 'levels',
    rename: { levels: levels.slice(0, 1) },
    rule: () => naming({ actions: [{ type: 'setTier', policy: 'Status', level: 'Gold' }] }),
  },
  {
    path: 'tierpolicies',
    body: () => ({ name: 'Reached', program, levels }),
    refused: 'levels',
    rename: { levels: levels.slice(0, 1) },
    rule: () => ({
      ...comparing('activity', '$.occasion.level', 'equal', 'Gold'),
      activityTypes: ['TierReached'],
    }),
  },
  {
    path: 'pursepolicies',
    body: () => ({ name: 'Stars', program }),
    rename: { name: 'X' },
    refused: 'name',
    rule: () => naming({ actions: [{ type: 'redeemPoints', purse: 'Stars', points: 1 }] }),
  },
  {
    path: 'enums',
    body: () => ({ type: 'ActivityType', value: 'Review' }),
    refused: 'value',
    rename: { value: 'X' },
    rule: () => naming({ activityTypes: ['Review'] }),
  },
];

test.each(cases)('a rule in force protects the $path it names and relies on ($refused)', async (named) => {
  const id = await made(named.path, named.body());
  await world.publish([earnRule, named.rule() as Record<string, unknown>]);
  const kept = await admin.get(`/${named.path}/${id}`);
  const deleted = await admin.delete(`/${named.path}/${id}`);
  const renamed = await admin.put(`/${named.path}/${id}`, named.rename);
  for (const answer of [deleted, renamed]) {
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].message).toBe('is named by the rule main/names');
  }
  expect([refusals(deleted), refusals(renamed)]).toEqual([['_id inUse'], [`${named.refused} inUse`]]);
  expect((await admin.get(`/${named.path}/${id}`)).body).toEqual(kept.body);
  expect((await admin.put(`/${named.path}/${id}`, { ext: { seen: true } })).status).toBe(200);

  await world.publish([earnRule]);
  expect((await admin.delete(`/${named.path}/${id}`)).status).toBe(204);
});

test('when a deletion and a publication run at once, one is refused: rules never name a missing record', async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await made('segments', { name: `Race ${round}` });
    await world.publish([{ ...earnRule, name: `before ${round}` }]);
    const [published, deleted] = await Promise.all([
      world.publish([earnRule, naming({ segments: [`Race ${round}`] })]).then(
        () => true,
        () => false,
      ),
      admin.delete(`/segments/${id}`),
    ]);
    expect([204, 422]).toContain(deleted.status);
    expect(published).toBe(deleted.status === 422);
    await world.publish([earnRule]);
  }
});

test('a product in a static list and the purse of a cost cannot be deleted', async () => {
  const product = await made('products', { sku: 'JAM', name: 'Jam' });
  const list = await made('namedlists', { name: 'Sweets', model: 'Product', ids: [product] });
  expect(refusals(await admin.delete(`/products/${product}`))).toEqual(['_id inUse']);
  await admin.delete(`/namedlists/${list}`);
  expect((await admin.delete(`/products/${product}`)).status).toBe(204);

  const [, miles] = world.policies;
  const reward = await made('rewards', { code: 'FLY', name: 'Fly', program, cost: { purse: 'Miles', points: 5 } });
  expect(refusals(await admin.delete(`/pursepolicies/${miles?._id}`))).toEqual(['_id inUse']);
  expect(refusals(await admin.put(`/pursepolicies/${miles?._id}`, { name: 'Air' }))).toEqual(['name inUse']);
  await admin.delete(`/rewards/${reward}`);
  expect((await admin.put(`/pursepolicies/${miles?._id}`, { name: 'Air' })).status).toBe(200);
});

test('types, channels, stores, partners and codes of past activities cannot be deleted', async () => {
  const type = await made('enums', { type: 'ActivityType', value: 'Visit' });
  const channel = await made('enums', { type: 'ChannelType', value: 'Kiosk' });
  const store = await made('locations', { number: 'K-9', name: 'Kiosk' });
  const partner = await made('partners', { code: 'BUS', name: 'Bus' });
  const offer = await made('offers', { code: 'HALF', name: 'Half', program });
  const unused = await made('offers', { code: 'NONE', name: 'None', program });
  const { _id } = await world.addMember();
  const posted = await admin.post('/activity', {
    type: 'Visit',
    memberID: _id.toHexString(),
    value: 10,
    srcChannelType: 'Kiosk',
    srcChannelID: 'K-9',
    partnerCode: 'BUS',
    couponCode: 'HALF',
  });
  expect(posted.body.result.data.status).toBe('Processed');

  const used = { enums: type, locations: store, partners: partner, offers: offer };
  for (const [path, id] of [...Object.entries(used), ['enums', channel]]) {
    expect(refusals(await admin.delete(`/${path}/${id}`))).toContain('_id inUse');
  }
  expect(refusals(await admin.put(`/enums/${type}`, { value: 'Call' }))).toEqual(['value inUse']);
  expect((await admin.put(`/locations/${store}`, { number: 'K-10' })).status).toBe(200);
  expect((await admin.delete(`/offers/${unused}`)).status).toBe(204);
});

test('a value of an Enum cannot be deleted while extension fields have it', async () => {
  const blue = await made('enums', { type: 'Color', value: 'blue' });
  const red = await made('enums', { type: 'Color', value: 'red' });
  const extSchema = await made('extschemas', { model: 'Location', name: 'Looks' });
  await made('extdefs', { extSchema, field: 'color', type: 'enum', enumType: 'Color' });
  await made('locations', { number: 'B-1', name: 'Blue', ext: { color: 'blue' } });
  expect(refusals(await admin.delete(`/enums/${blue}`))).toEqual(['_id inUse']);
  expect((await admin.delete(`/enums/${red}`)).status).toBe(204);
});
