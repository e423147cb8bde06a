import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { ruleJsonSchema } from '#engine/rules/editor/ruleJsonSchema';
import { readRules } from '#engine/rules/read/readRules';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { expiryKinds } from '#records/points/expiry/expiryKinds';
import { quickAjv } from '../../../support/quickAjv';
import { scaled, seedsOf } from '../../../support/scale';

const definitions = { ...demoRuleReferences(), segments: ['VIP', 'Young'], querySegments: ['Young'] };
const ajv = () => addFormats.default(quickAjv(), ['date']);
const fits = ajv().compile(ruleJsonSchema(definitions));
const fitsAnyOrg = ajv().compile(ruleJsonSchema());

const demo = path.resolve(__dirname, '../../../../rules/demo');
const demoRules = readdirSync(demo)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name): unknown[] => [JSON.parse(readFileSync(path.join(demo, name), 'utf8'))].flat());

const base = { key: 'a', name: 'A', activityTypes: ['Accrual'] };
const log = { type: 'log', message: 'Hello' };
const activity = (at: string) => ({ fact: 'activity', path: at });
/** Rules with every kind of field, fact, operator and action that the demo rules do not have. */
const more: unknown[] = [
  { ...base, segments: ['VIP'], tiers: ['Gold'], hours: { days: ['Sat'], from: '18:00', to: '22:00' }, actions: [log] },
  {
    ...base,
    group: 'g',
    pick: 'highest',
    stop: true,
    budget: { points: 5 },
    actions: [{ type: 'addPoints', purse: 'Points', points: 5 }],
  },
  {
    ...base,
    conditions: {
      any: [
        { ...activity('$.lineItems[*].itemSKU'), operator: 'someFact:startsWith', value: 'a' },
        { ...activity('$.ext.size'), operator: 'in', value: [1, 'x'] },
        { fact: 'member', path: '$.enrolledAt', operator: 'between', value: ['2026-01-01', '2026-02-01T00:00:00Z'] },
        { not: { fact: 'isBirthday', operator: 'equal', value: true } },
        {
          fact: 'aggregate',
          params: { metric: 'spend', period: 'month' },
          operator: 'greaterThan',
          value: { fact: 'hour' },
        },
        { fact: 'member', path: '$.segments', operator: 'not:contains', value: 'VIP' },
        { ...activity('$.srcChannelID'), operator: 'matches', value: '^a+$' },
        { fact: 'hour', operator: 'everyValue:notEqual', value: [1, 2] },
        { fact: 'member', path: '$.birthDate', operator: 'withinDays', value: { days: 7, direction: 'past' } },
      ],
    },
    actions: [{ type: 'setData', values: { a: { b: 1 } } }],
  },
  {
    ...base,
    effective: { from: '2026-01-01T00:00:00Z', to: '2026-12-31' },
    limits: [{ what: 'times', per: 'member', period: 'day', max: 1 }],
    actions: [
      { type: 'addPoints', purse: 'Points', points: { of: activity('$.value'), every: 25, points: 10, max: 100 } },
      { type: 'transferPoints', purse: 'Points', points: 5, toMember: { loyaltyID: activity('$.ext.friend') } },
      { type: 'addMetric', metric: 'nights', value: -1 },
      { type: 'setTier', policy: 'Status', level: 'Gold', until: '2027-12-31' },
      {
        type: 'setTier',
        policy: 'Status',
        level: 'Gold',
        for: { value: 0, unit: 'year', snap: 'endOfYear' },
        keep: { metric: 'nights', atLeast: 3 },
      },
      { type: 'addSegment', segment: 'VIP' },
      { type: 'addPoints', purse: 'Points', points: { of: { sum: [activity('$.value'), 5] }, times: 2 } },
      { type: 'log', message: 'On {{channel}}', with: { channel: activity('$.srcChannelType') } },
    ],
  },
  {
    ...base,
    activityTypes: ['Scheduled'],
    schedule: { every: 'month', on: 1, at: '09:00', segment: 'VIP' },
    conditions: { all: [{ ...activity('$.occasion.on'), operator: 'startsWith', value: '2026' }] },
    actions: [log],
    tests: [{ name: 'b', activity: { type: 'Scheduled', occasion: { on: '2026-05-01' } }, expect: { fired: ['a'] } }],
  },
  { ...base, activityTypes: ['Scheduled'], schedule: { every: 'week', on: 'Mon' }, actions: [log] },
  { ...base, activityTypes: ['Birthday', 'PointsExpiring'], schedule: { daysBefore: 7, at: '09:00' }, actions: [log] },
  {
    ...base,
    perLine: true,
    conditions: { all: [{ fact: 'lineItem', path: '$.quantity', operator: 'lessThan', value: 3 }] },
    actions: [log],
  },
];

const odd = [
  -5,
  0,
  1.5,
  '',
  'x',
  {},
  [],
  null,
  true,
  { fact: 'hour' },
  { fact: 'hours' },
  [{ fact: 'hour' }, 1],
  [{ fact: 'hour' }],
  ['x'],
  '2026-13-01',
  '2026-10-01',
  '$.a[?(@.b)]',
  'Points',
  'equal',
];

type Change = (parent: Record<string, unknown>, name: string) => void;
const changes: Record<string, (value: unknown) => Change> = {
  replaced: (value) => (parent, name) => {
    parent[name] = value;
  },
  removed: () => (parent, name) => {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
  },
  misspelt: () => (parent, name) => {
    if (Array.isArray(parent)) return;
    parent[`${name}x`] = parent[name];
    delete parent[name];
  },
  'with a letter more': () => (parent, name) => {
    if (typeof parent[name] === 'string') parent[name] = `${parent[name]}x`;
  },
};

/** Every place of a value: its parent and its name there. */
function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((name) => [[parent, name] as [typeof parent, string], ...placesIn(parent[name])]);
}

const changedRule = fc
  .tuple(
    fc.constantFrom(...demoRules, ...more),
    fc.nat(),
    fc.constantFrom(...Object.keys(changes)),
    fc.constantFrom(...odd),
  )
  .map(([rule, place, change, value]) => {
    const copy = structuredClone(rule);
    const places = placesIn(copy);
    const [parent, name] = places[place % places.length] ?? [{}, ''];
    changes[change]?.(structuredClone(value))(parent, name);
    return copy;
  });

/** What only loading can find, by the messages of its faults. */
const onlyLoading: readonly RegExp[] = [
  // What tests come to.
  /^test ".*" fails: /s,
  // Facts of line items in a rule that is not evaluated for each: the conditions may be anywhere.
  /^the fact "(?:lineItem|product)" needs "perLine": true$/,
  // Two facts of different types.
  /, and (?:activity|member|hour|lineItem|aggregate)\b.* is an? \w+$/,
  // The fields that a type of escrow or expiry needs.
  new RegExp(`^(?:duration|${Object.keys(expiryKinds).join('|')}) needs [a-z ]+$`),
  // The names of values in texts, and the languages of texts.
  /^"with" has no value |^no text |language/,
  // Two values that depend on each other.
  /^max must not be below min$|^to must be later than from$|^from and to are the same time|^the points would stay/,
  // The fields of a filter of products.
  /^(?:inclusion|exclusion)\S* /i,
];

async function faultsOf(rule: unknown): Promise<string[]> {
  const { errors } = await readRules([{ path: 'demo/a.json', text: JSON.stringify(rule) }], definitions);
  return errors.map(({ message }) => message);
}

const isOnlyLoading = (message: string) => onlyLoading.some((pattern) => pattern.test(message));

/** Another fact as the value of an operator that needs a text, a number or a list: also two facts of different types. */
const isOtherFact = (message: string, rule: unknown) =>
  /^\w+ needs (?:a|true)/.test(message) && JSON.stringify(rule).includes('"value":{"fact"');

describe('the schema of an org', () => {
  it('accepts what loading accepts', async () => {
    for (const rule of [...demoRules, ...more]) {
      const faults = (await faultsOf(rule)).filter((each) => !isOnlyLoading(each));
      expect({ rule, faults }).toEqual({ rule, faults: [] });
      expect([rule, fits(rule), fits.errors]).toEqual([rule, true, null]);
      expect([rule, fitsAnyOrg(rule), fitsAnyOrg.errors]).toEqual([rule, true, null]);
    }
  });

  it.each(seedsOf(20_261_123))(
    'differs from loading only in what loading alone can find (seed %d)',
    async (seed) => {
      await fc.assert(
        fc.asyncProperty(changedRule, async (rule) => {
          const faults = await faultsOf(rule);
          const isFit = fits(rule);
          if (faults.length === 0) expect([isFit, fits.errors, fitsAnyOrg(rule)]).toEqual([true, null, true]);
          else if (isFit) {
            expect(faults.filter((each) => !isOnlyLoading(each) && !isOtherFact(each, rule))).toEqual([]);
          }
        }),
        { seed, numRuns: scaled(500, seed) },
      );
    },
    180_000,
  );
});
