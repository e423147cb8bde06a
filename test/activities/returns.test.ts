import { ObjectId } from 'bson';
import { refusals } from '../support/refusals';
import { isRequested, ruleWhen } from '../support/ruleWhen';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

const start = '2026-03-01T12:00:00.000Z';

const add = (points: unknown) => [{ type: 'addPoints', purse: 'Points', points }];
const ofValue = { of: { fact: 'activity', path: '$.value' }, times: 1 };
const ofEligible = { of: { fact: 'eligibleAmount' }, times: 1 };
const atLeast = (value: number) => ({
  all: [{ fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value }],
});
const both = (key: string, { all }: { all: unknown[] }) => isRequested(key, ...all);

const isEarning = {
  all: [{ fact: 'activity', path: '$.ext.rule', operator: 'in', value: ['earn', 'more'] }],
};

const rules = [
  ruleWhen('perLine', { perLine: true, actions: add(1) }),
  ruleWhen('value', { actions: add(ofValue) }),
  ruleWhen('kept', { actions: add(ofValue), onReturn: 'keep' }),
  ruleWhen('share', { actions: add(ofValue), onReturn: 'proportional' }),
  ruleWhen('again', { conditions: both('again', atLeast(50)), actions: add(500), onReturn: 'reevaluate' }),
  ruleWhen('eligible', { actions: add(ofEligible) }),
  ruleWhen('welcome', { conditions: both('welcome', atLeast(50)), actions: add(500) }),
  ruleWhen('refused', { actions: add(ofValue) }),
  ruleWhen('refuse', {
    priority: 20,
    conditions: both('refused', { all: [{ fact: 'activity', path: '$.value', operator: 'lessThan', value: 50 }] }),
    actions: [{ type: 'reject', message: 'too little' }],
  }),
  ruleWhen('base', { conditions: isEarning, group: 'earn', pick: 'highest', actions: add(ofValue) }),
  ruleWhen('double', {
    conditions: { all: [...isEarning.all, ...atLeast(100).all] },
    group: 'earn',
    pick: 'highest',
    actions: add({ ...ofValue, times: 2 }),
  }),
  ruleWhen('extra', { conditions: both('more', atLeast(100)), actions: add(50) }),
  ruleWhen('capped', {
    perLine: true,
    actions: add({ of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 }),
    limits: [{ what: 'points', per: 'member', period: 'day', max: 150 }],
  }),
  ruleWhen('first', {
    priority: 9,
    group: 'turn',
    pick: 'first',
    actions: add(ofValue),
    limits: [{ what: 'points', per: 'member', period: 'day', max: 10 }],
  }),
  ruleWhen('second', {
    priority: 9,
    conditions: isRequested('first'),
    group: 'turn',
    pick: 'first',
    actions: add(ofValue),
  }),
];

let world: World;
let acting: ActivityApi;
let member: Awaited<ReturnType<World['addMember']>>;

beforeAll(async () => {
  world = await openWorld({ rules });
  acting = activityApi(world);
  for (const product of [{ sku: 'BREAD' }, { sku: 'TOBACCO', excludeFromEarning: true }]) {
    const { status } = await world.server.as('admin').post('/products', { name: product.sku, ...product });
    expect(status).toBe(201);
  }
});
beforeEach(async () => {
  world.services.clock.set(start);
  member = await world.addMember();
});
afterAll(() => world?.close());

const line = (_id: string, itemPrice: number, quantity = 1, more: object = {}) => ({
  _id,
  itemPrice,
  quantity,
  ...more,
});
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(`l${index}`, 10));
const buy = (key: string, lineItems: object[], fields: object = {}) =>
  acting.processed('Accrual', member._id, { lineItems, ext: { rule: key }, ...fields });
const back = async (id: string, ...ids: string[]) => {
  const answer = await acting.cancel(id, { lineItems: ids.map((_id) => ({ _id })) });
  expect([answer.status, codes(answer)]).toEqual([200, []]);
  return answer;
};
/** How each award was returned, and the points that are left of it. */
const reported = ({ body }: Awaited<ReturnType<ActivityApi['cancel']>>) =>
  body.result.log.entries.flatMap(({ action, results }: { action: string; results: Record<string, unknown> }) =>
    action === 'returnAward' ? [[results.rule, results.how, results.left]] : [],
  );

describe('a return by value', () => {
  test('of 19 twentieths takes 19 of 20 lots of one point', async () => {
    const id = await buy('perLine', lines(20));
    await acting.cancel(id, { value: 190 });
    expect(await acting.balance(member._id)).toBe(1);
    expect(await acting.history(id)).toMatchObject({ status: 'Processed', returnedValue: 190 });
  });

  test('takes the share of each award, also of a bonus, unless its rule says otherwise', async () => {
    const [bonus, again, kept] = [
      await buy('welcome', [], { value: 100 }),
      await buy('again', [], { value: 100 }),
      await buy('kept', [], { value: 100 }),
    ];
    const answers = [];
    for (const id of [bonus, again, kept]) answers.push(await acting.cancel(id, { value: 40 }));
    expect(answers.flatMap(reported)).toEqual([
      ['welcome', 'proportional', 300],
      ['again', 'reevaluate', 500],
      ['kept', 'keep', 100],
    ]);
    expect(reported(await acting.cancel(again, { value: 11 }))).toEqual([['again', 'reevaluate', 0]]);
    for (const id of [bonus, again, kept]) await acting.cancel(id);
    expect(await acting.balance(member._id)).toBe(0);
  });

  test('scales line amounts and eligible amounts where a rule is decided again', async () => {
    await world.publish([...rules, { ...ruleWhen('scaled', { actions: add(ofEligible) }), onReturn: 'reevaluate' }]);
    const id = await buy('scaled', [line('a', 60, 1, { itemSKU: 'BREAD' }), line('b', 40, 1, { itemSKU: 'TOBACCO' })]);
    expect(await acting.balance(member._id)).toBe(60);
    await acting.cancel(id, { value: 50 });
    expect(await acting.balance(member._id)).toBe(30);
    await acting.cancel(id, { value: 25 });
    expect(await acting.balance(member._id)).toBe(15);
  });
});

describe('an activity and each of its lines shows how much was returned', () => {
  const returned = async (id: string) => {
    const { status, returnedValue, lineItems } = await acting.history(id);
    const shown = lineItems.map((each: Record<string, unknown>) => [each.returnedQuantity, each.returnedValue]);
    return [status, returnedValue, ...shown];
  };
  const none = [undefined, undefined];
  const two = () => [line('a', 20, 3), line('b', 40)];

  test.each<[string, object[], unknown[]]>([
    ['when nothing was returned', [], ['Processed', undefined, none, none]],
    ['when all was cancelled', [{}], ['Cancelled', 100, [3, 60], [1, 40]]],
    ['of a line', [{ lineItems: [{ _id: 'a', quantity: 2 }] }], ['Processed', 40, [2, 40], none]],
    ['of a value, by its share', [{ value: 50 }], ['Processed', 50, [undefined, 30], [undefined, 20]]],
    [
      'of a value, adding up although it is rounded',
      [{ value: 1 }, { value: 50 }],
      ['Processed', 51, [undefined, 30], [undefined, 21]],
    ],
    [
      'of a line after a value',
      [{ value: 20 }, { lineItems: [{ _id: 'b' }] }],
      ['Processed', 60, [undefined, 20], [1, 40]],
    ],
    [
      'of a value after a line',
      [{ lineItems: [{ _id: 'a', quantity: 1 }] }, { value: 40 }],
      ['Processed', 60, [1, 40], [undefined, 20]],
    ],
    [
      'when the rest was returned by value',
      [{ lineItems: [{ _id: 'a', quantity: 1 }] }, { value: 80 }],
      ['Cancelled', 100, [3, 60], [1, 40]],
    ],
    [
      'when the rest was cancelled',
      [{ value: 20 }, { lineItems: [{ _id: 'b' }] }, {}],
      ['Cancelled', 100, [3, 60], [1, 40]],
    ],
  ])('%s', async (_name, parts, expected) => {
    const id = await buy('value', two());
    for (const part of parts) expect(codes(await acting.cancel(id, part))).toEqual([]);
    expect(await returned(id)).toEqual(expected);
  });

  test('of lines that cost more than was paid: the value of the whole, and of each line what it cost', async () => {
    const half = await buy('value', two(), { value: 50 });
    expect(codes(await acting.cancel(half, { value: 25 }))).toEqual([]);
    expect(await returned(half)).toEqual(['Processed', 25, [undefined, 30], [undefined, 20]]);
    expect(codes(await acting.cancel(half))).toEqual([]);
    expect(await returned(half)).toEqual(['Cancelled', 50, [3, 60], [1, 40]]);
  });
});

describe('a return of line items', () => {
  test('of 99 of 100 lines leaves the points of one', async () => {
    const id = await buy('perLine', lines(100));
    expect(await acting.balance(member._id)).toBe(100);
    await back(id, ...lines(99).map(({ _id }) => _id));
    expect(await acting.balance(member._id)).toBe(1);
    // Lots of one instant have no order.
    const lots: { reversedPoints: number }[] = await acting.lots(member._id);
    expect(lots.map(({ reversedPoints }) => reversedPoints).sort()).toEqual([0, ...Array(99).fill(1)]);
  });

  test('that earned nothing takes nothing', async () => {
    const id = await buy('eligible', [
      line('a', 133, 1, { itemSKU: 'BREAD' }),
      line('b', 42, 1, { itemSKU: 'TOBACCO' }),
    ]);
    expect(await acting.balance(member._id)).toBe(133);
    await back(id, 'b');
    expect(await acting.balance(member._id)).toBe(133);
    await back(id, 'a');
    expect([await acting.balance(member._id), (await acting.history(id)).status]).toEqual([0, 'Cancelled']);
  });

  test('leaves a bonus whose threshold is still met, and takes it when it is not', async () => {
    const id = await buy('welcome', [line('a', 30), line('b', 30), line('c', 30)]);
    expect(reported(await back(id, 'a'))).toEqual([['welcome', 'reevaluate', 500]]);
    expect(reported(await back(id, 'b'))).toEqual([['welcome', 'reevaluate', 0]]);
    expect(await acting.balance(member._id)).toBe(0);
  });

  test('takes the share where the facts of the day are unknown, and says so', async () => {
    const id = await buy('welcome', [line('a', 30), line('b', 30), line('c', 60)]);
    const histories = world.services.db.collection('activityhistories');
    await histories.updateOne({ _id: new ObjectId(id) }, { $unset: { factsRead: '' } });
    const answer = await back(id, 'a');
    expect(reported(answer)).toEqual([['welcome', 'proportional', 375]]);
    expect(answer.body.result.log.entries[0].results).toMatchObject({
      reason: 'not kept: the facts of its day',
      message:
        'Rule welcome is returned by its share of the value (not kept: the facts of its day): 375 of 500 points in Points remain.',
    });
  });

  test('after which the activity would be refused takes all that it earned', async () => {
    const id = await buy('refused', [line('a', 40), line('b', 40)]);
    expect(await acting.balance(member._id)).toBe(80);
    await back(id, 'a');
    expect(await acting.balance(member._id)).toBe(0);
  });

  test('leaves the points of a rule that wins its group only now, and never more than before', async () => {
    const id = await buy('earn', [line('a', 30), line('b', 90), line('c', 60)]);
    expect(await acting.balance(member._id)).toBe(360);
    expect(reported(await back(id, 'c'))).toEqual([['double', 'reevaluate', 240]]);
    expect(reported(await back(id, 'a'))).toEqual([['double', 'reevaluate', 90]]);
    const more = await buy('more', [line('a', 30), line('b', 90)]);
    expect(reported(await back(more, 'a'))).toEqual([
      ['double', 'reevaluate', 40],
      ['extra', 'reevaluate', 50],
    ]);
    expect(await acting.balance(member._id)).toBe(180);
  });

  test('follows onReturn of the rule before anything else', async () => {
    const [kept, share] = [await buy('kept', lines(3)), await buy('share', lines(3))];
    expect(reported(await back(kept, 'l0'))).toEqual([['kept', 'keep', 30]]);
    expect(reported(await back(share, 'l0'))).toEqual([['share', 'proportional', 20]]);
    await back(kept, 'l1', 'l2');
    expect([await acting.balance(member._id), (await acting.history(kept)).status]).toEqual([20, 'Cancelled']);
  });

  test('is never decided above what was granted, and limits follow the points', async () => {
    const id = await buy('capped', [line('a', 100), line('b', 100)]);
    expect(await acting.balance(member._id)).toBe(150);
    await back(id, 'a');
    expect(await acting.balance(member._id)).toBe(100);
    const next = await buy('capped', [line('a', 100)]);
    expect(await acting.balance(member._id)).toBe(150);
    await back(id, 'b');
    expect((await acting.history(next)).status).toBe('Processed');
    expect(await acting.balance(member._id)).toBe(50);
  });

  test('leaves the points of the rule that got its turn because the limit of another was used up', async () => {
    await buy('first', [line('a', 10)]);
    const id = await buy('first', [line('a', 30), line('b', 70)]);
    expect(await acting.balance(member._id)).toBe(10 + 100);
    expect(reported(await back(id, 'a'))).toEqual([['second', 'reevaluate', 70]]);
    expect(await acting.balance(member._id)).toBe(10 + 70);
  });

  test('shows how much of each line was returned, which queries can filter', async () => {
    const tea = { itemSKU: 'BREAD' };
    const id = await buy('value', [line('a', 10, 3, tea), line('b', 7, 2, tea)]);
    await acting.cancel(id, { lineItems: [{ itemSKU: 'BREAD', quantity: 4 }] });
    const history = await acting.history(id);
    expect(history).toMatchObject({
      returnedValue: 37,
      lineItems: [
        { _id: 'a', quantity: 3, returnedQuantity: 3, returnedValue: 30 },
        { _id: 'b', quantity: 2, returnedQuantity: 1, returnedValue: 7 },
      ],
    });
    expect(await acting.balance(member._id)).toBe(7);
    const mine = `memberID=${member._id}&lineItems.returnedQuantity=3&select=_id`;
    const { body } = await world.server.as('client').get(`/activityhistories?${mine}`);
    expect(body).toEqual([{ _id: id }]);
  });

  test('with a value beside them counts at that value', async () => {
    const id = await buy('value', [line('a', 60), line('b', 60)], { value: 100 });
    await acting.cancel(id, { lineItems: [{ _id: 'a' }], value: 50 });
    expect([await acting.balance(member._id), (await acting.history(id)).returnedValue]).toEqual([50, 50]);
    await back(id, 'b');
    expect((await acting.history(id)).status).toBe('Cancelled');
  });

  test('of an activity without a value counts the cost of its lines', async () => {
    const id = await buy('perLine', [line('a', 10), line('b', 10)], { value: 0 });
    await back(id, 'a');
    expect([await acting.balance(member._id), (await acting.history(id)).status]).toEqual([1, 'Processed']);
    await back(id, 'b');
    expect([await acting.balance(member._id), (await acting.history(id)).status]).toEqual([0, 'Cancelled']);
  });

  test.each<[string, object[], string]>([
    ['a line that is not there', [{ _id: 'x' }], 'lineItems.0._id reference'],
    ['a SKU that is not there', [{ _id: 'l0' }, { itemSKU: 'x' }], 'lineItems.1.itemSKU reference'],
    ['more than is left', [{ _id: 'l0', quantity: 2 }], 'lineItems.0.quantity maximum'],
    ['a line twice', [{ _id: 'l0' }, { _id: 'l0' }], 'lineItems.1.quantity maximum'],
    ['nothing of a line', [{ _id: 'l0', quantity: 0 }], 'lineItems.0.quantity minimum'],
    ['no line', [{ quantity: 1 }], 'lineItems.0._id required'],
    ['an unknown field', [{ _id: 'l0', units: 1 }], 'lineItems.0.units additionalProperties'],
  ])('is refused and changes nothing when it names %s', async (_, lineItems, fault) => {
    const id = await buy('perLine', lines(3));
    const before = await acting.dump();
    const answer = await acting.cancel(id, { lineItems });
    expect([answer.status, refusals(answer)]).toEqual([422, [fault]]);
    expect(await acting.dump()).toEqual(before);
  });

  test('may be posted as an activity, at once or with async=true', async () => {
    const id = await buy('perLine', lines(3));
    const body = { type: 'Cancellation', originalTxnId: id, lineItems: [{ _id: 'l0' }] };
    expect((await acting.post(body)).status).toBe(200);
    expect((await acting.post({ ...body, lineItems: [{ _id: 'l1' }] }, '?async=true')).status).toBe(202);
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(1);
  });

  test('that is posted many times at once never gives back more than there was', async () => {
    const id = await buy('perLine', lines(4), { value: 0 });
    const answers = await Promise.all(
      [0, 0, 1, 1, 2, 2].map((n) => acting.cancel(id, { lineItems: [{ _id: `l${n}` }] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422]);
    expect(await acting.balance(member._id)).toBe(1);
  });
});

describe('a redemption', () => {
  test('that is returned by its lines is given back by the value', async () => {
    await world.publish([
      ruleWhen('value', { actions: add(ofValue) }),
      {
        ...ruleWhen('burn', {}),
        activityTypes: ['Redemption'],
        conditions: { all: [] },
        actions: [{ type: 'redeemPoints', purse: 'Points', points: ofValue }],
      },
    ]);
    await buy('value', [], { value: 100 });
    const id = await acting.processed('Redemption', member._id, { lineItems: lines(6) });
    expect(await acting.balance(member._id)).toBe(40);
    await back(id, 'l0');
    expect(await acting.balance(member._id)).toBe(50);
    await back(id, 'l1', 'l2', 'l3', 'l4', 'l5');
    expect([await acting.balance(member._id), (await acting.history(id)).status]).toEqual([100, 'Cancelled']);
  });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
