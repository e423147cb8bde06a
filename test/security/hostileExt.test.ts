import fc from 'fast-check';
import { operators } from '#engine/rules/language/operators';
import type { Member } from '#records/members/member';
import { scaled } from '../support/scale';
import { openWorld, type World } from '../support/world';

/** Names with a special meaning in JavaScript, a library or the driver. Their values do not fit that meaning. */
const names = [
  'toString',
  'valueOf',
  'constructor',
  'hasOwnProperty',
  'then',
  'toJSON',
  'toBSON',
  'length',
  'prototype',
  'inspect',
  'isPrototypeOf',
  'toObject',
  'get',
  'set',
  'type',
  'default',
  'ref',
  'a',
];

const scalar = fc.oneof(
  fc.constantFrom(1, 0, -1, 3, true, null, '', '3', 'gold', '2026-01-31', 'toString'),
  fc.string(),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const isFit = (each: unknown) => !/\\u00[01]|\\u007f|\\r|\\b|\\f|[\u007f-\u009f]/.test(JSON.stringify(each));

/** A valid value of a condition for each operator. */
const operands: Record<string, unknown> = {
  in: ['gold', 3],
  notIn: ['gold', 3],
  between: [1, 5],
  withinDays: 3,
  isEmpty: true,
  contains: 'gold',
  doesNotContain: 'gold',
  startsWith: 'g',
  matches: '^g',
  inNamedList: 'vips',
  before: '2026-01-01',
  after: '2026-01-01',
};

const ofActivity = { fact: 'activity', path: '$.ext.a' };
const comparisons = Object.keys(operators)
  .filter((operator) => operator !== 'inNamedList')
  .flatMap((operator) => [
    { ...ofActivity, operator, value: operands[operator] ?? 3 },
    {
      fact: 'activity',
      path: '$.lineItems[*].ext.a',
      operator: `someFact:${operator}`,
      value: operands[operator] ?? 3,
    },
  ]);

const filter = {
  isORQuery: true,
  inclusionParams: JSON.stringify({
    'ext.a': { type: 'String', searchStr: 'gold,3' },
    'ext.b': { type: 'Number', searchStr: '3' },
    'ext.c': { type: 'Boolean', searchStr: 'true' },
    'ext.d': { searchStr: '3,gold,2026-01-31' },
    'ext.e': { type: 'Date', searchStr: '2026-01-31T00:00:00Z' },
  }),
};

const log = (message: string) => [{ type: 'log', message }];
const rules = [
  ...comparisons.map((comparison, n) => ({
    key: `c${n}`,
    name: comparison.operator,
    activityTypes: ['Accrual'],
    conditions: { any: [comparison] },
    actions: log('met'),
  })),
  {
    key: 'filtered',
    name: 'Filtered',
    activityTypes: ['Accrual'],
    conditions: { all: [] },
    actions: [
      {
        type: 'addPoints',
        purse: 'Points',
        points: { of: { fact: 'eligibleAmount', params: { filter } }, times: 1 },
      },
    ],
  },
  {
    key: 'set',
    name: 'Set',
    activityTypes: ['Accrual'],
    conditions: { all: [] },
    actions: [{ type: 'setData', values: { shown: ofActivity } }],
  },
];

let world: World;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules });
  member = await world.addMember();
});
afterAll(() => world.close());

test('posts, reads and explanations with any ext answer, and alike when they are repeated', async () => {
  const admin = world.server.as('ledger-admin');
  let n = 0;
  await fc.assert(
    fc.asyncProperty(value.filter(isFit), async (a) => {
      n += 1;
      const ext = { a, b: a, c: a, d: a, e: a };
      const product = await admin.post('/products', { sku: `P${n}`, name: 'P', ext });
      expect(product.status).toBe(201);
      expect(product.body.ext).toEqual(ext);
      const lineItems = [{ itemSKU: `P${n}`, itemPrice: 5, quantity: 1, ext }];
      const activity = { type: 'Accrual', memberID: member._id, value: 5, ext, lineItems };
      const { status, body } = await admin.post('/activity?explain=true', activity);
      expect([status, body.result.errors]).toEqual([200, []]);
      const history = `/activityhistories/${body.result.data.activityId}`;
      for (const path of [history, `${history}/explain`]) {
        expect((await admin.get(path)).status).toBe(200);
      }
      const tried = await admin.post('/activity?persist=false', activity);
      expect(tried.body.result.data.shown).toEqual(body.result.data.shown);
    }),
    { numRuns: scaled(60) },
  );
}, 300_000);

test.each([
  ['toString', { toString: 1 }],
  ['valueOf', { valueOf: 'x' }],
  ['both', { toString: null, valueOf: { toString: {} } }],
  ['a list of them', [{ toString: 1 }, { valueOf: 1 }]],
])('an object with the field %s is no value that a filter or an order can name', async (_name, a) => {
  const admin = world.server.as('ledger-admin');
  const sku = `filtered ${_name}`;
  await admin.post('/products', { sku, name: 'P', ext: { a, b: a, c: a, d: a, e: a } });
  const lineItems = [{ itemSKU: sku, itemPrice: 5, quantity: 1, ext: { a } }];
  const sent = { type: 'Accrual', memberID: member._id, ext: { a }, lineItems };
  const { status, body } = await admin.post('/activity?explain=true', sent);
  expect([status, body.result.errors]).toEqual([200, []]);
  const fired = body.ruleMatch
    .filter((match: { fired: boolean }) => match.fired)
    .map(({ name }: { name: string }) => name);
  const orders = ['equal', 'in', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'between'];
  expect(fired.filter((name: string) => orders.includes(name.replace('someFact:', '')))).toEqual([]);
  expect(body.result.log.map(({ action }: { action: string }) => action)).not.toContain('addPoints');
});
