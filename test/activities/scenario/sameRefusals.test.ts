import assert from 'node:assert';
import fc from 'fast-check';
import { runScenario } from '#activities/scenario/runScenario';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import type { ScenarioStep } from '#engine/rules/format/scenarioShape';
import { readRules } from '#engine/rules/read/readRules';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import type { Client } from '../../support/client';
import { longer, scaled, seedsOf } from '../../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

const start = '2026-02-20T09:00:00.000Z';
const unknownId = '507f1f77bcf86cd799439011';

let world: World;
let till: Client;
let definitions: RuleReferences;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  till = world.server.as('admin');
  for (const [type, value] of [
    ['ActivityType', 'Stay'],
    ['ChannelType', 'Kiosk'],
    ['SalesUOM', 'OZ'],
  ]) {
    expect((await till.post('/enums', { type, value, label: value })).status).toBe(201);
  }
  definitions = await loadRuleReferences(world.services.db, world.services.org._id);
});
afterAll(() => world?.close());

const line = fc.oneof(
  fc.constant({ itemSKU: 'A', itemPrice: 10, quantity: 2 }),
  fc.constantFrom('EA', 'OZ', 'XX', '').map((itemUOM) => ({ itemUOM })),
  fc.constantFrom(0, 3, -1, 1.5, 2 ** 52).map((quantity) => ({ itemPrice: 4, quantity })),
  fc.constantFrom('A', '', 'x'.repeat(101)).map((itemSKU) => ({ itemSKU })),
  fc.constantFrom({ productId: unknownId }, { offerId: 'x' }, { prize: 1 }, { coupon: {} }, {}),
);

/** A fault of each kind that a post can have, beside values of the same field that are accepted. */
const changes: fc.Arbitrary<object>[] = [
  fc.constantFrom('Acrual', 'Stay', 'Redemption', 'Cancellation', 'accrual', '').map((type) => ({ type })),
  fc.constantFrom('POS', 'Kiosk', 'Fax', '', null).map((srcChannelType) => ({ srcChannelType })),
  fc.array(line, { maxLength: 2 }).map((lineItems) => ({ lineItems })),
  fc.constantFrom(0, 7, -1, 1.5, 2 ** 53, '5', null).map((value) => ({ value })),
  fc
    .constantFrom(
      '2026-02-19T09:00:00Z',
      '2026-02-20 03:00:00',
      '02/19/2026 10:00:00',
      '2026-02-19',
      '2026-02-30T09:00:00Z',
      '1899-12-31T00:00:00Z',
      '1900-01-01T00:00:00Z',
      'yesterday',
      '',
    )
    .map((date) => ({ date })),
  fc.constantFrom(-300, 0, 900, 1.5).map((utcOffset) => ({ utcOffset })),
  fc.constantFrom({ occasion: { level: 'Gold' } }, { status: 'Processed' }, { result: {} }, { _id: unknownId }),
  fc.constantFrom('till-1', 'till-2', 'occasion:1', '', 'x'.repeat(256)).map((externalTxnId) => ({ externalTxnId })),
  fc.constantFrom(unknownId, 'x').map((memberID) => ({ memberID })),
  fc.constantFrom('nobody', '').map((loyaltyID) => ({ loyaltyID })),
  fc.constantFrom('originalTxnId', 'originalMemberID', 'program', 'locationId').map((name) => ({ [name]: unknownId })),
  fc.constantFrom({ partnerCode: 'a\u0000b' }, { partnerCode: null }, { currencyCode: 'x'.repeat(11) }, { valeu: 1 }),
  fc.constantFrom({ tenderItems: [{ value: -1 }] }, { tenderItems: [{ type: 'Card' }] }, { tenderItems: {} }),
  fc.constantFrom({ ext: { nights: 3 } }, { ext: { $where: 1 } }, { ext: 5 }),
  fc.constantFrom({ couponCode: 'NONE' }, { payPoints: 5 }, { payPoints: -5 }, { chosenReward: '' }),
];

const part = fc.oneof(
  fc.constantFrom(1, 5, 1000, 0, -1, 1.5).map((value) => ({ value })),
  fc
    .constantFrom({ itemSKU: 'A' }, { itemSKU: 'A', quantity: 1 }, { itemSKU: 'A', quantity: 9 }, { itemSKU: 'B' }, {})
    .map((each) => ({ lineItems: [each] })),
  fc
    .constantFrom({ itemSKU: 'A', quantity: 0 }, { quantity: 1 }, { productId: 'x' })
    .map((each) => ({ lineItems: [each] })),
  fc.constant({}),
);

const base = fc.constantFrom(
  { type: 'Accrual', value: 20 },
  { type: 'Accrual', lineItems: [{ itemSKU: 'A', itemPrice: 10, quantity: 2 }] },
  { type: 'Redemption', value: 5 },
);

const drawn = fc.record({
  base,
  changes: fc.oneof(...changes).chain((one) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant([one]) },
      fc.oneof(...changes).map((other) => [one, other]),
    ),
  ),
  part: fc.option(part, { nil: undefined }),
});

function stepsOf(all: readonly (typeof drawn extends fc.Arbitrary<infer T> ? T : never)[]): ScenarioStep[] {
  return all.flatMap((each, index): ScenarioStep[] => {
    const activity = Object.assign({}, each.base, ...each.changes) as { type: string };
    const cancel = each.part && { cancel: { step: 2 * index + 1, ...each.part } };
    return [{ activity }, cancel ?? { wait: { value: 1, unit: 'minute' } }];
  });
}

/** Codes of requests that the service refuses: no history is written. */
const refusals = new Set([1200, 1210, 1500, 1510]);

async function refusedInScenario(steps: ScenarioStep[], loyaltyID: string): Promise<boolean[]> {
  const { services } = world;
  const [program] = definitions.programs;
  const set = await services.ruleSets.current(services.org._id, (await till.get('/rulesets/current')).body.version);
  const [rule] = set?.rules ?? [];
  assert(program && set && rule);
  const test = { name: 't', steps, asOf: new Date(start), member: { loyaltyID }, expect: {} };
  const results = await runScenario({ rule, test, rules: set, program, definitions, evaluator: compiledEvaluator() });
  return results.map(({ errors }) => errors.some(({ code }) => refusals.has(code)));
}

let runs = 0;

async function refusedByService(steps: ScenarioStep[], loyaltyID: string): Promise<boolean[]> {
  const { _id: memberID } = await world.addMember({ loyaltyID });
  const ids: string[] = [];
  const refused: boolean[] = [];
  for (const { activity, cancel } of steps) {
    const { step = 0, ...sent } = cancel ?? {};
    const requested = { memberID, ...withOwnKey(activity ?? {}, loyaltyID) };
    if (activity) {
      const { status, body } = await till.post('/activity', requested);
      refused.push(status >= 400);
      ids.push(String(body.result?.data.activityId));
    } else if (cancel && ids[step - 1] !== 'undefined') {
      const { status, body } = await till.post(`/activity/${ids[step - 1]}/cancel`, sent);
      refused.push(status >= 400);
      ids.push(String(body.result?.data.activityId));
    } else {
      refused.push(false);
      ids.push('');
    }
  }
  return refused;
}

/** Keys are taken once in an org, and once in a scenario. */
function withOwnKey({ externalTxnId, ...activity }: Record<string, unknown>, run: string) {
  if (typeof externalTxnId !== 'string') return activity;
  return { ...activity, externalTxnId: externalTxnId.startsWith('till') ? `${run}-${externalTxnId}` : externalTxnId };
}

/** A cancel of an activity that was refused has no original, in a scenario as in the service. */
function withOriginals(steps: readonly ScenarioStep[], refused: readonly boolean[]): ScenarioStep[] {
  return steps.map((step) =>
    step.cancel && refused[step.cancel.step - 1] ? { wait: { value: 1, unit: 'minute' } } : step,
  );
}

test.each(seedsOf(23))(
  'a scenario refuses exactly what a post refuses (seed %i)',
  async (seed) => {
    world.services.clock.set(start);
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 6 }), async (all) => {
        runs += 1;
        const loyaltyID = `own-${seed}-${runs}`;
        const requested = stepsOf(all);
        const served = await refusedByService(requested, loyaltyID);
        const steps = withOriginals(requested, served);
        expect(await refusedInScenario(steps, loyaltyID)).toEqual(
          served.map((isRefused, index) => isRefused && steps[index] === requested[index]),
        );
        await expectNoCrash(steps);
      }),
      { seed, numRuns: scaled(40, seed), endOnFailure: false },
    );
  },
  120_000 * longer,
);

/** As a rule file, the scenario has faults or differences, each with a file and a line, or it passes. */
async function expectNoCrash(steps: ScenarioStep[]): Promise<void> {
  const rule = { ...earnRule, tests: [{ name: 't', asOf: start, steps, expect: { fired: ['redeem'] } }] };
  const text = JSON.stringify([rule, redeemRule], null, 1);
  const { errors } = await readRules([{ path: 'main/a.json', text }], definitions, runScenario);
  for (const each of errors) expect(each).toMatchObject({ file: 'main/a.json', line: expect.any(Number) });
}
