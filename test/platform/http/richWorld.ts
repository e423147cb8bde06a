import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { importing } from '../../exchange/imports/importing';
import { makeTierPolicy } from '../../support/definitions';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

/** Values of `result.data` of every type. Some texts look like dates, ids, numbers or booleans. */
const shownData = {
  day: '2026-05-04',
  until: '2026-05-04T10:00:00.000Z',
  ticket: '65f0c0ffee65f0c0ffee65f0',
  code: '0042',
  flag: 'true',
  rate: 1.5,
  isNew: false,
  notes: ['first', '2026-05-05T10:00:00.000Z', 7],
  nested: { deep: [{ at: '2026-05-06T10:00:00.000Z', n: 3 }] },
};

const points = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const typed = (key: string, type: string, ...actions: object[]) => ({
  ...earnRule,
  key,
  name: `Rule ${key}`,
  activityTypes: [type],
  actions,
});

const rules = [
  {
    ...typed('earn', 'Accrual', { type: 'addPoints', purse: 'Points', points }),
    limits: [{ what: 'points', per: 'location', period: 'day', max: 2000, onExceed: 'reduce' }],
  },
  typed('escrow', 'Accrual', { type: 'addPoints', purse: 'Bonus', points: 5 }),
  { ...typed('look', 'Accrual', { type: 'lookupProducts' }), priority: 20 },
  typed('show', 'Accrual', { type: 'setData', values: shownData }, { type: 'log', message: 'shown' }),
  typed(
    'mark',
    'Accrual',
    { type: 'setExt', on: 'activity', values: { marked: '2026-05-04T10:00:00.000Z', n: 4 } },
    { type: 'setExt', on: 'member', values: { seen: '2026-05-04', often: 2 } },
  ),
  typed(
    'count',
    'Accrual',
    { type: 'addMetric', metric: 'cups', value: 2, expires: { value: 1, unit: 'year' } },
    { type: 'addMetric', metric: 'mugs', value: 1, expires: { value: 1, unit: 'hour' } },
    { type: 'addSegment', segment: 'Regulars' },
  ),
  typed('status', 'Accrual', { type: 'setTier', policy: 'Status', level: 'Silver' }),
  typed('offer', 'Accrual', { type: 'applyOffer', offer: 'EXTRA' }),
  typed('gift', 'Accrual', { type: 'issueReward', reward: 'MUG' }),
  { ...typed('once', 'Accrual', { type: 'log', message: 'once' }), limits: [cut('times', 1)] },
  typed('refer', 'Referral', { type: 'completeReferral', purse: 'Points', points: 10, referrerPoints: 25 }),
  redeemRule,
];

function cut(what: string, max: number) {
  return { what, per: 'member', period: 'lifetime', max, onExceed: 'skip' };
}

/** The kinds of histories. */
export const kinds = ['purchase', 'returned', 'return', 'cancelled', 'redemption', 'referral', 'refused'] as const;

/** A world with at least one record of every resource, and the ids of its rich activities. */
export interface RichWorld {
  world: World;
  acting: ActivityApi;
  /** Histories of every type, by what was posted. */
  histories: Record<(typeof kinds)[number], string>;
}

/** Makes the world of a program that uses everything: each computed part of a history and each field has a value. */
export async function openRichWorld(): Promise<RichWorld> {
  const world = await openWorld({
    rules: [],
    policies: [
      { primary: true, expiry: { type: 'inactivity', value: 1, unit: 'year' }, overdraftLimit: 5 },
      { name: 'Bonus', escrow: { type: 'duration', value: 2, unit: 'day' }, expiry: rolling },
    ],
  });
  world.services.clock.set('2026-05-04T10:00:00.000Z');
  const acting = activityApi(world);
  await define(world);
  await world.publish(rules);
  const histories = await act(world, acting);
  await workOn(world, histories.purchase);
  return { world, acting, histories };
}

const rolling = { type: 'rolling', value: 1, unit: 'year' } as const;

/** One record of each kind that a program manager defines. */
async function define(world: World): Promise<void> {
  const admin = world.server.as('admin');
  const create = async (path: string, body: object) => {
    const { status, body: made } = await admin.post(`/${path}`, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(made)}`);
    return made;
  };
  const program = world.program._id;
  const effective = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
  await makeTierPolicy(world.services.db, world.author, world.program);
  const schema = await create('extschemas', { model: 'Location', name: 'Stores', ext: { by: 'hand' } });
  for (const [field, type] of Object.entries({ opened: 'date', seats: 'integer', isOpen: 'boolean', kind: 'string' })) {
    await create('extdefs', { extSchema: schema._id, field, type, ext: { n: 1 } });
  }
  await create('locations', {
    number: '17',
    name: 'Main Street',
    timezone: 'UTC',
    tags: ['flagship', 'late'],
    address: { street: 'Main Street 1', floor: 2 },
    ext: { opened: '2020-01-01T08:00:00.000Z', seats: 40, isOpen: true, kind: 'cafe' },
  });
  await create('products', {
    sku: 'tea',
    name: 'Tea',
    category: 'drinks',
    brand: 'Leaf',
    price: 250,
    tags: ['hot'],
    ext: { picked: '2026-03-01', grade: 1 },
  });
  await create('apikeys', {
    name: 'Web shop',
    permissions: ['activity:post', 'members:read'],
    roles: ['reader', 'client'],
    expiresAt: '2027-01-01T00:00:00.000Z',
    rateLimit: 600,
  });
  await create('partners', { code: 'fuel', name: 'Fuel', ext: { since: '2019-01-01T00:00:00.000Z' } });
  const productFilter = { isIncluded: true, inclusionParams: { category: { searchStr: 'drinks', isIncluded: true } } };
  const uses = { total: 100, perMember: 50 };
  for (const [code, discount] of Object.entries({
    TEN: { type: 'percent', value: 10, max: 500 },
    EXTRA: { type: 'points', value: 5 },
  })) {
    const fields = { code, name: code, program, effective, productFilter, discount, uses, priority: 3 };
    await create('offers', { ...fields, stackGroup: code, ext: { shelf: '2026-05-01T00:00:00.000Z' } });
  }
  await create('rewards', {
    code: 'MUG',
    name: 'A mug',
    program,
    effective,
    cost: { purse: 'Points', points: 2 },
    uses,
  });
  await create('segments', { name: 'Regulars' });
  await create('segments', { name: 'Here', kind: 'query', query: { status: 'Active' } });
  await create('namedlists', { name: 'Teas', model: 'Product', kind: 'query', query: { category: 'drinks' } });
  await create('enums', { type: 'ChannelType', value: 'Kiosk', label: 'A kiosk', order: 3 });
}

async function act(world: World, acting: ActivityApi): Promise<RichWorld['histories']> {
  const friend = await world.addMember({ firstName: 'Bo', type: 'Pooled' });
  const member = await world.addMember({
    loyaltyID: 'L-1',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    phone: '+44 20 7946 0000',
    birthDate: '1990-05-04',
    locale: 'en-GB',
    enrollChannel: 'Web',
    address: { city: 'London', postcode: 'N1' },
    ext: { joined: '2026-01-01T00:00:00.000Z', shoe: 42, vip: true, tags: ['a', 'b'] },
  });
  const _id = member._id;
  const lineItems = [
    {
      _id: 'a',
      lineNo: 1,
      itemSKU: 'tea',
      itemPrice: 250,
      quantity: 4,
      itemUOM: 'EA',
      type: 'Sale',
      couponCode: 'TEN',
      discountAmount: 2.5,
      ext: { picked: '2026-05-04', aisle: 7 },
    },
    { _id: 'b', lineNo: 2, itemSKU: 'none', itemPrice: 10, quantity: 1 },
  ];
  const tenderItems = [{ _id: 't', type: 'Card', subType: 'Visa', value: 1010, itemNo: 'hash', lineNo: '1' }];
  const bought = {
    lineItems,
    tenderItems,
    srcChannelType: 'POS',
    srcChannelID: '17',
    currencyCode: 'EUR',
    utcOffset: 60,
    partnerCode: 'fuel',
    couponCode: 'EXTRA',
    loyaltyID: 'L-1',
    referralCode: friend.referralCode,
    referredMember: true,
    ext: { till: '2026-05-04T09:59:59.000Z', n: 1 },
  };
  const referral = await acting.processed('Referral', _id, { referralCode: friend.referralCode });
  const purchase = await acting.processed('Accrual', _id, { ...bought, externalTxnId: 'till-1' });
  const returned = await acting.processed('Accrual', _id, bought);
  const part = await acting.cancel(returned, { lineItems: [{ _id: 'a', quantity: 1 }], srcChannelID: '17' });
  const cancelled = await acting.processed('Accrual', _id, bought);
  await acting.cancel(cancelled, { couponCode: 'TEN' });
  const pooled = { originalMemberID: _id, value: 3 };
  await acting.processed('Accrual', friend._id, pooled);
  const redemption = await acting.processed('Redemption', _id, { value: 30, date: '2026-05-04T09:00:00.000Z' });
  const refused = (await acting.post({ type: 'Redemption', memberID: _id, value: 1_000_000 })).body.result.data;
  await acting.post(
    { type: 'Accrual', ...bought, loyaltyID: 'L-NOBODY', referralCode: 'NOBODY', externalTxnId: 'till-2' },
    '?async=true',
  );
  await acting.drain();
  const { activityId } = part.body.result.data;
  return { purchase, returned, return: activityId, cancelled, redemption, referral, refused: refused.activityId };
}

/** Runs what timers and workers do, merges members, and makes an account, a simulation and an import. */
async function workOn(world: World, activity: string): Promise<void> {
  const { services, server } = world;
  const admin = server.as('admin');
  const history = (await admin.get(`/activityhistories/${activity}`)).body;
  const gone = await world.addMember({ loyaltyID: 'L-2' });
  await admin.post(`/members/${history.memberID}/merge`, { memberIds: [gone._id] });
  const members = [{ member: history.memberID, program: world.program._id }];
  await admin.post('/accounts', { members, ext: { home: true, since: '2026-01-01' } });
  await admin.post('/rules/simulate', { rules: [redeemRule], program: world.program._id });
  await runNextSimulation(services);
  await importing(world).imported({ kind: 'products', content: 'sku,name,#shelf\nmilk,Milk,white\nmilk,,\n' });
  const receiver = { url: 'https://8.8.8.8/', events: ['points.earned', 'tier.changed'], description: 'Till' };
  const { body: webhook } = await admin.post('/webhooks', { ...receiver, status: 'Paused' });
  await admin.post('/importmappings', {
    name: 'Tills',
    kind: 'members',
    columns: [{ column: 'Card number', field: 'loyaltyID' }],
    constants: [{ field: 'program', value: 'main' }],
    dateFormat: 'dd.MM.yyyy',
    decimalComma: true,
  });
  await admin.post(`/webhooks/${webhook._id}/test`);
  await admin.post(`/webhooks/${webhook._id}/replay`, { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00Z' });
  await propose(world);
  for (const job of ['members', 'aggregates', 'escrow', 'reconcile']) await admin.post(`/jobs/${job}/run`);
  services.clock.advance(2 * 3_600_000);
  await admin.post('/jobs/aggregates/run');
}

/** Rules that one user proposes and another one approves. */
async function propose({ server, services: { config } }: World): Promise<void> {
  const text = JSON.stringify([{ ...redeemRule, key: 'proposed', status: 'draft' }]);
  const body = { files: [{ path: 'main/proposed.json', text }], reason: 'For the summer' };
  config.RULES_APPROVAL = 'on';
  const { body: proposal } = await server.as('program-manager').post('/rules/publish', body);
  config.RULES_APPROVAL = 'off';
  await server.as('admin').post(`/rules/proposals/${proposal._id}/approve`, { reason: 'As agreed' });
}
