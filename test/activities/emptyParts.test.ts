import { runScenario } from '#activities/scenario/runScenario';
import { readRules } from '#engine/rules/read/readRules';
import { purseWorld } from './purseWorld';
import { scenarioDefinitions } from './scenario/scenarioDefinitions';

const at = purseWorld();
beforeAll(() => at.open());
beforeEach(() => at.begin());
afterAll(() => at.close());

type Body = Record<string, unknown>;

/** Parts that are there and name nothing, with the field that the refusal names. */
const parts: [string, Body, string][] = [
  ['an empty list', { lineItems: [] }, 'lineItems'],
  ['null for the list', { lineItems: null }, 'lineItems'],
  ['an empty list beside a value', { lineItems: [], value: 10 }, 'lineItems'],
  ['null for the list beside a value', { lineItems: null, value: 10 }, 'lineItems'],
  ['null for the value', { value: null }, 'value'],
  ['null for the value beside lines', { value: null, lineItems: [{ itemSKU: 'A' }] }, 'value'],
  ['null for both', { value: null, lineItems: null }, 'value'],
  ['a value of nothing', { value: 0 }, 'value'],
  ['a line that is empty', { lineItems: [{}] }, 'lineItems.0._id'],
  ['a line that is null', { lineItems: [null] }, 'lineItems.0'],
  ['a line whose names are null', { lineItems: [{ _id: null, itemSKU: null, quantity: 1 }] }, 'lineItems.0._id'],
  ['a line with an empty name', { lineItems: [{ itemSKU: '' }] }, 'lineItems.0.itemSKU'],
  ['a quantity of nothing', { lineItems: [{ itemSKU: 'A', quantity: 0 }] }, 'lineItems.0.quantity'],
  ['null for the quantity', { lineItems: [{ itemSKU: 'A', quantity: null }] }, 'lineItems.0.quantity'],
  ['an object in place of the list', { lineItems: {} }, 'lineItems'],
];

/** Each way to ask for a cancellation. @returns the answer */
const ways: [string, (id: string, body: Body) => Promise<{ status: number; body: Body }>][] = [
  ['the cancel of an activity', (id, body) => at.acting.cancel(id, body)],
  ['the cancel, only evaluated', (id, body) => at.acting.cancel(id, body, '?persist=false')],
  ['the cancel, later', (id, body) => at.acting.cancel(id, body, '?async=true')],
  [
    'a cancel by query',
    (id, body) =>
      at.world.server
        .as('client')
        .post(`/activity/query/cancel?query=${encodeURIComponent(JSON.stringify({ _id: id }))}`, body),
  ],
  ['a posted Cancellation', (id, body) => at.acting.post({ type: 'Cancellation', originalTxnId: id, ...body })],
];

const sold = { lineItems: [{ itemSKU: 'A', itemPrice: 30, quantity: 2 }] };

describe.each(ways)('%s', (_way, ask) => {
  test.each(parts)('is refused with %s', async (_name, part, path) => {
    const id = await at.acting.processed('Accrual', at.member._id, sold);
    const answer = await ask(id, part);
    const errors = answer.body.errors as { path: string; message: string }[] | undefined;
    const result = answer.body.result as { errors: { errors?: { path: string }[] }[] } | undefined;
    const paths =
      errors?.map((each) => each.path) ?? result?.errors.flatMap((each) => each.errors ?? []).map((each) => each.path);
    expect(paths).toContain(path);
    expect(await at.acting.history(id)).toMatchObject({ status: 'Processed', value: 60 });
    expect((await at.acting.history(id)).returnedValue ?? 0).toBe(0);
  });

  test('is refused with a hint what to send instead', async () => {
    const id = await at.acting.processed('Accrual', at.member._id, sold);
    const { status, body } = await ask(id, { lineItems: [] });
    expect([status, body.errors]).toMatchObject([
      422,
      [
        {
          path: 'lineItems',
          kind: 'required',
          message: 'names no line item; leave it out to return all that is left',
        },
      ],
    ]);
  });
});

test('a cancel that names no part returns everything', async () => {
  const id = await at.acting.processed('Accrual', at.member._id, sold);
  expect((await at.acting.cancel(id, {})).body.result).toMatchObject({ errors: [] });
  expect(await at.acting.history(id)).toMatchObject({ status: 'Cancelled' });
});

test('an empty condition is refused because it would select everything', async () => {
  const id = await at.acting.processed('Accrual', at.member._id, sold);
  const { status, body } = await at.acting.cancel(id, {}, '?validate={}');
  expect([status, body.message]).toEqual([400, 'validate must name at least one field']);
});

test('a post of another type may have no line items', async () => {
  for (const lineItems of [[], null]) {
    const { body } = await at.acting.post({ type: 'Accrual', memberID: at.member._id, value: 5, lineItems });
    expect(body.result.errors).toEqual([]);
  }
});

test.each(parts)('the step of a rule test is refused with %s', async (_name, part) => {
  const earn = {
    key: 'earn',
    name: 'Earn',
    activityTypes: ['Accrual'],
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' } } }],
    tests: [
      {
        name: 't',
        expect: { points: { Points: 0 } },
        steps: [{ activity: { type: 'Accrual', ...sold } }, { cancel: { step: 1, ...part } }],
      },
    ],
  };
  const files = [{ path: 'demo/a.json', text: JSON.stringify([earn]) }];
  const { errors } = await readRules(files, scenarioDefinitions(), runScenario);
  expect(errors).not.toEqual([]);
});
