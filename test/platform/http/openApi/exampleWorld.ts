import { activityApi } from '../../../activities/activityApi';
import type { Client } from '../../../support/client';
import { earnRule, openWorld, redeemRule, type World } from '../../../support/world';

/** The ids of the records of the world of the examples. */
export interface ExampleWorld {
  world: World;
  admin: Client;
  ids: Record<string, string>;
}

const purchaseOf = (memberID: unknown) => ({
  type: 'Accrual',
  memberID,
  externalTxnId: 'till-7-1001',
  date: '2026-05-04T09:58:00.000Z',
  srcChannelType: 'POS',
  srcChannelID: '17',
  partnerCode: 'CITY',
  currencyCode: 'EUR',
  couponCode: 'SPRING',
  lineItems: [
    { _id: '1', lineNo: 1, itemSKU: 'TEA-1', itemPrice: 450, quantity: 2 },
    { _id: '2', lineNo: 2, itemSKU: 'CAKE-1', itemPrice: 380, quantity: 1 },
  ],
  tenderItems: [{ _id: '1', type: 'Card', subType: 'Visa', value: 1280 }],
  ext: { till: 7 },
});

const rules = [
  { ...earnRule, name: 'A point per cent' },
  {
    ...earnRule,
    key: 'tea',
    name: 'Bonus for big purchases',
    conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 2000 }] },
    actions: [{ type: 'addPoints', purse: 'Bonus', points: 50 }],
  },
  { ...earnRule, key: 'products', name: 'Products', actions: [{ type: 'lookupProducts' }], priority: 20 },
  {
    ...earnRule,
    key: 'mug',
    name: 'A mug for the first purchase',
    limits: [{ what: 'times', per: 'member', period: 'lifetime', max: 1, onExceed: 'skip' }],
    actions: [{ type: 'issueReward', reward: 'MUG' }],
  },
  redeemRule,
];

/** Makes a café with one record of each kind: definitions, customers, purchases, and what jobs made of them. */
export async function openExampleWorld(): Promise<ExampleWorld> {
  const rolling = { type: 'rolling', value: 1, unit: 'year' } as const;
  const escrow = { type: 'duration', value: 2, unit: 'day' } as const;
  const world = await openWorld({
    rules: [],
    program: { name: 'Café', currencyCode: 'EUR' },
    policies: [
      { primary: true, expiry: rolling },
      { name: 'Bonus', escrow },
    ],
  });
  world.services.clock.set('2026-05-04T10:00:00.000Z');
  const admin = world.server.as('ledger-admin');
  const ids: Record<string, string> = {
    Program: String(world.program._id),
    PursePolicy: String(world.policies[0]?._id),
  };
  for (const [name, [path, body]] of Object.entries(definitionsOf(ids))) ids[name] = await create(admin, path, body);
  await create(admin, '/extdefs', { extSchema: ids.ExtSchema, field: 'seats', type: 'integer', min: 0 });
  ids.ExtDef = await create(admin, '/extdefs', { extSchema: ids.ExtSchema, field: 'terrace', type: 'boolean' });
  await world.publish(rules);
  await enrol({ world, admin, ids });
  await buy({ world, admin, ids });
  return { world, admin, ids };
}

async function create(admin: Client, path: string, body: object): Promise<string> {
  const answer = await admin.post(path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body._id;
}

function definitionsOf({ Program: program }: Record<string, string>): Record<string, [path: string, body: object]> {
  const effective = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
  const productFilter = { inclusionParams: { category: { searchStr: 'drinks', isIncluded: true } } };
  const discount = { type: 'percent', value: 10, max: 500 };
  const levels = [
    { name: 'Bronze', number: 1, threshold: 500 },
    { name: 'Gold', number: 2, threshold: 5000 },
  ];
  const address = { street: 'Main Street 1', city: 'Oslo' };
  return {
    TierPolicy: ['/tierpolicies', { program, name: 'Status', levels, basis: { metric: 'spend', period: 'year' } }],
    ExtSchema: ['/extschemas', { model: 'Location', name: 'Cafés' }],
    Location: ['/locations', { number: '17', name: 'Main Street', timezone: 'UTC', tags: ['central'], address }],
    Product: ['/products', { sku: 'TEA-1', name: 'Green tea', category: 'drinks', brand: 'Leaf', price: 450 }],
    Partner: ['/partners', { code: 'CITY', name: 'City card' }],
    Offer: ['/offers', { code: 'SPRING', name: 'Tea in spring', program, effective, productFilter, discount }],
    Reward: ['/rewards', { code: 'MUG', name: 'A mug', program, effective, uses: { perMember: 1 } }],
    Segment: ['/segments', { name: 'Regulars' }],
    ImportMapping: [
      '/importmappings',
      { name: 'Till', kind: 'members', columns: [{ column: 'Card number', field: 'loyaltyID' }], pointsFactor: 100 },
    ],
    NamedList: ['/namedlists', { name: 'Drinks', model: 'Product', kind: 'query', query: { category: 'drinks' } }],
    Enum: ['/enums', { type: 'ChannelType', value: 'Kiosk', label: 'A kiosk', order: 3 }],
    ApiKey: ['/apikeys', { name: 'Till 7', permissions: ['activity:post', 'members:read'] }],
    User: ['/users', { username: 'till-7', password: 'a till in Oslo', roles: ['client'] }],
  };
}

async function enrol({ world, admin, ids }: ExampleWorld): Promise<void> {
  const program = ids.Program;
  const named = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+47 22 22 22 22' };
  const segments = [ids.Segment];
  const address = { street: 'Park Street 2', city: 'Oslo' };
  const enrolled = { program, loyaltyID: 'L-1001', ...named, birthDate: '1990-05-14', enrollChannel: 'Web' };
  ids.Member = await create(admin, '/members', { ...enrolled, address, segments, ext: { shoeSize: 38 } });
  const friend = await create(admin, '/members', { program, loyaltyID: 'L-1002', firstName: 'Bo' });
  const members = [ids.Member, friend].map((member) => ({ member, program }));
  ids.Account = await create(admin, '/accounts', { members });
  const double = { program, loyaltyID: 'L-1003' };
  ids.double = await create(admin, '/members', double);
  world.services.clock.advance(1000);
}

/** Makes the purchases that the histories and the ledger show. */
async function buy({ world, admin, ids }: ExampleWorld): Promise<void> {
  const acting = activityApi(world);
  const { body } = await acting.post(purchaseOf(ids.Member));
  if (body.result?.data.status !== 'Processed') throw new Error(JSON.stringify(body));
  ids.ActivityHistory = body.result.data.activityId;
  const unknown = {
    type: 'Accrual',
    loyaltyID: 'L-9999',
    value: 640,
    srcChannelID: '17',
    externalTxnId: 'till-7-0999',
  };
  await acting.post(unknown, '?async=true');
  await acting.drain();
  world.services.clock.advance(60_000);
  for (const job of ['escrow', 'aggregates']) await admin.post(`/jobs/${job}/run`);
}
