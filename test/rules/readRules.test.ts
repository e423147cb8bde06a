import { ObjectId } from 'bson';
import fc from 'fast-check';
import type { Definitions } from '../../src/rules/definitions';
import { type RuleFile, readRules } from '../../src/rules/readRules';

const definitions: Definitions = {
  programs: [
    {
      _id: new ObjectId(),
      code: 'demo',
      timezone: 'UTC',
      purses: ['Points', 'Bonus Points', 'Lasting'],
      inactivityPurses: ['Lasting'],
      tiers: [
        {
          name: 'Status',
          levels: [
            { name: 'Basic', number: 1 },
            { name: 'Gold', number: 2 },
          ],
        },
      ],
      offers: ['SUMMER'],
      rewards: ['MUG'],
    },
    { _id: new ObjectId(), code: 'other', timezone: 'UTC', purses: ['Miles'], tiers: [], offers: [], rewards: [] },
  ],
  activityTypes: ['Accrual', 'Redemption', 'Cancellation'],
  segments: ['VIP', 'French'],
  querySegments: ['French'],
  metrics: ['onlineSpend'],
  namedLists: [{ id: '64b000000000000000000001', name: 'Big stores', model: 'Location' }],
};

const base = {
  key: 'base',
  name: 'Base',
  activityTypes: ['Accrual'],
  conditions: { all: [] as unknown[] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }] as unknown[],
};

/** A file with one rule a line, so that the column alone says where a fault is. */
const file = (rule: unknown, path = 'demo/a.json'): RuleFile => ({ path, text: JSON.stringify(rule) });

/** The faults of one rule as `text at the fault: message`. */
async function faultsOf(rule: unknown, length = 12): Promise<string[]> {
  const one = file(rule);
  const { errors, warnings } = await readRules([one], definitions);
  expect(warnings).toEqual([]);
  for (const { line, file: path } of errors) expect([line, path]).toEqual([1, one.path]);
  return errors.map(({ column, message }) => `${one.text.slice(column - 1, column - 1 + length)}: ${message}`);
}
const withCondition = (condition: unknown) => ({ ...base, conditions: { all: [condition] } });
const value = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 };

describe('readRules', () => {
  it('reads the example of DESIGN 8', async () => {
    const text = `{ "$schema": "../rule.schema.json", "key": "base-earn", "name": "One point per dollar", "status": "active",
    "activityTypes": ["Accrual"], "effective": { "from": "2020-01-01T00:00:00.000Z" }, "priority": 10,
    "conditions": { "all": [ { "fact": "activity", "path": "$.value", "operator": "greaterThan", "value": 0 } ] },
    "actions": [ { "type": "addPoints", "purse": "Points", "points": { "of": { "fact": "activity", "path": "$.value" }, "times": 1, "round": "floor" } } ],
    "limits": [ { "what": "points", "per": "member", "period": "day", "max": 500, "onExceed": "reduce" } ],
    "tests": [ { "name": "a dollar is a point", "activity": { "type": "Accrual", "value": 120 }, "expect": { "points": { "Points": 120 }, "fired": ["base-earn"] } } ] }`;
    const { rules, errors, warnings } = await readRules([{ path: 'demo/base-earn.json', text }], definitions);
    expect([errors, warnings]).toEqual([[], []]);
    expect(rules).toMatchObject([
      {
        key: 'base-earn',
        file: 'demo/base-earn.json',
        position: 0,
        programCode: 'demo',
        priority: 10,
        effective: { from: new Date('2020-01-01') },
      },
    ]);
    expect(rules[0]).not.toHaveProperty('$schema');
  });

  it('fills in defaults: active, priority 1, always true', async () => {
    const { conditions: _left, ...rest } = base;
    const { rules } = await readRules([file(rest)], definitions);
    expect(rules).toMatchObject([{ status: 'active', priority: 1, conditions: { all: [] } }]);
  });

  it('answers rules in the same order whatever the order of the files', async () => {
    const files = [
      file(
        [
          { ...base, key: 'b0' },
          { ...base, key: 'b1' },
          { ...base, key: 'b2', priority: 7 },
        ],
        'demo/b.json',
      ),
      file({ ...base, key: 'a' }, 'demo/a.json'),
      file({ ...base, key: 'c', priority: 7 }, 'demo/c.json'),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(files, { minLength: 3 }), async (shuffled) => {
        const { rules, errors } = await readRules(shuffled, definitions);
        expect(errors).toEqual([]);
        expect(rules.map(({ key }) => key)).toEqual(['b2', 'c', 'a', 'b0', 'b1']);
      }),
      { numRuns: 6 },
    );
  });

  it.each<[string, string, number, number, string]>([
    ['', '{\n  "key": "a",\n}', 3, 1, 'a name in double quotes must stand here (a comma too many before it?)'],
    ['', '[{}\n{}]', 2, 1, 'a comma is missing before this'],
    ['', '{ "key": "a" // no\n}', 1, 14, 'JSON has no comments; use the field description'],
    ['', "{ 'key': 1 }", 1, 3, 'JSON has no such word; texts stand in double quotes'],
    ['', '', 1, 1, 'the file is empty; a list of no rules is []'],
    ['', '{ "key": "a\n', 1, 10, 'this text has no closing quote'],
    ['', '{"a":\r\n{"b":1,"b":2}}', 2, 8, '"b" stands here twice'],
  ])('%s names broken JSON with its place: %j', async (_, text, line, column, message) => {
    const { errors, rules } = await readRules([{ path: 'demo/a.json', text }], definitions);
    expect(errors).toContainEqual({ file: 'demo/a.json', line, column, message });
    expect(rules).toEqual([]);
  });

  it('bounds size and depth before it parses', async () => {
    const deep = { path: 'demo/a.json', text: '['.repeat(1_000_000) };
    const { errors } = await readRules([deep], definitions);
    expect(errors).toEqual([{ file: 'demo/a.json', line: 1, column: 101, message: 'nests deeper than 100 levels' }]);
    const large = { path: 'demo/a.json', text: `"${'ä'.repeat(600_000)}"` };
    expect((await readRules([large], definitions)).errors).toMatchObject([
      { message: 'is larger than 1 MB; split it into several files' },
    ]);
  });

  it('reads a file with a very long text, or with quotes that never close', async () => {
    const long = file({ ...base, description: 'x'.repeat(900_000) });
    const { errors } = await readRules([long], definitions);
    expect(errors.map(({ message }) => message)).toEqual(['description must NOT have more than 2000 characters']);
    const open = await readRules([{ path: 'demo/a.json', text: '"\\'.repeat(400_000) }], definitions);
    expect(open.rules).toEqual([]);
  });

  it('names at most 100 faults of a file', async () => {
    const { errors, rules } = await readRules([file(Array.from({ length: 5000 }, () => 5))], definitions);
    expect([errors.length, rules.length]).toEqual([100, 0]);
  });

  it('does not take brackets in texts for depth, nor __proto__ for anything', async () => {
    const rule = { ...base, description: '['.repeat(200) };
    expect(await faultsOf(rule)).toEqual([]);
    const text = JSON.stringify(base).replace('"name"', '"__proto__":{"stop":true},"name"');
    const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions);
    expect(errors).toMatchObject([{ message: 'unknown field "__proto__"' }]);
  });

  it.each<[string, RuleFile, string]>([
    ['no such program', file(base, 'demoo/a.json'), 'no program has the code "demoo" (did you mean "demo"?)'],
    [
      'too deep',
      file(base, 'demo/x/a.json'),
      'a rule file stands in the folder of its program, not deeper and not above',
    ],
    ['above', file(base, 'a.json'), 'a rule file stands in the folder of its program, not deeper and not above'],
  ])('refuses a file in a wrong folder: %s', async (_, one, message) => {
    const { errors } = await readRules([one], definitions);
    expect(errors).toEqual([{ file: one.path, line: 1, column: 1, message }]);
  });

  it.each<[string, unknown, unknown[]]>([
    ['a list of nothing', [], []],
    ['no rule', 5, ['5: a rule is an object, { "key": ... }; this is a number']],
    ['a missing field', { ...base, name: undefined }, ['{"key":"base: name is required']],
    [
      'an unknown field',
      { ...base, prioriti: 5 },
      ['"prioriti":5: unknown field "prioriti" (did you mean "priority"?)'],
    ],
    [
      'facts of line items in a rule that is not for line items',
      { ...base, conditions: { all: [{ fact: 'product', path: '$.sku', operator: 'equal', value: 'A' }] } },
      ['{"all":[{"fa: the fact "product" needs "perLine": true'],
    ],
    ['priority 0', { ...base, priority: 0 }, ['0}: priority must be >= 1']],
    ['no actions', { ...base, actions: [] }, ['[]}: actions must NOT have fewer than 1 items']],
    [
      'a date that is none',
      { ...base, effective: { from: '2020-02-30T00:00:00Z' } },
      ['"2020-02-30T: from must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z'],
    ],
    [
      'a time that ends before it begins',
      { ...base, effective: { from: '2020-01-02T00:00:00Z', to: '2020-01-01T00:00:00Z' } },
      ['"2020-01-01T: to must be later than from'],
    ],
    [
      'hours of no length',
      { ...base, hours: { from: '08:00', to: '08:00' } },
      ['{"from":"08:: from and to are the same time; leave both out for the whole day'],
    ],
    [
      'a wrong day',
      { ...base, hours: { days: ['Sut'] } },
      ['"Sut"]}}: days[0] must be one of Sun, Mon, Tue, Wed, Thu, Fri, Sat (did you mean "Sun"?)'],
    ],
    [
      'an unknown activity type',
      { ...base, activityTypes: ['Acrual'] },
      ['"Acrual"],"c: unknown activity type "Acrual" (did you mean "Accrual"?)'],
    ],
    ['an unknown segment', { ...base, segments: ['VIPs'] }, ['"VIPs"]}: unknown segment "VIPs" (did you mean "VIP"?)']],
    ['an unknown tier', { ...base, tiers: ['Gald'] }, ['"Gald"]}: unknown tier level "Gald" (did you mean "Gold"?)']],
    ['a group without pick', { ...base, group: 'g' }, ['"g"}: a group needs "pick": all, first, highest or lowest']],
    ['pick without group', { ...base, pick: 'first' }, ['"pick":"firs: "pick" needs a "group"']],
    [
      'two limits that count the same',
      {
        ...base,
        limits: [
          { what: 'times', per: 'member', period: 'day', max: 1 },
          { what: 'times', per: 'member', period: 'day', max: 2 },
        ],
      },
      ['{"what":"tim: counts the same as limits[0]; one of them is enough'],
    ],
  ])('refuses %s', async (_, rule, expected) => {
    expect(await faultsOf(rule)).toEqual(expected);
  });

  it.each<[string, unknown, unknown[]]>([
    [
      'an unknown action',
      { type: 'addPoint' },
      [
        '"addPoint"}]: type must be one of addPoints, redeemPoints, setTier, transferPoints, addMetric, lookupProducts, addSegment, removeSegment, issueReward, applyOffer, completeReferral, setData, setExt, reject, log (did you mean "addPoints"?)',
      ],
    ],
    [
      'an unknown purse',
      { type: 'addPoints', purse: 'Ponits', points: 1 },
      ['"Ponits","po: unknown purse "Ponits" (did you mean "Points"?)'],
    ],
    [
      'an unknown parameter',
      { type: 'addPoints', purse: 'Points', point: 1, points: 1 },
      ['"point":1,"p: unknown field "point" (did you mean "points"?)'],
    ],
    [
      'half a point',
      { type: 'addPoints', purse: 'Points', points: 0.5 },
      ['0.5}]}: points must be a whole number; it is 0.5'],
    ],
    [
      'an amount of an unknown fact',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activty' }, times: 1 } },
      ['"activty"},": unknown fact "activty" (did you mean "activity"?)'],
    ],
    [
      'an amount of a text',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.type' }, times: 1 } },
      ['{"fact":"act: activity $.type is a text; an amount needs a number'],
    ],
    [
      'an amount with a misspelt field',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, tims: 1 } },
      ['{"of":{"fact: times is required', '"tims":1}}]}: unknown field "tims" (did you mean "times"?)'],
    ],
    [
      'steps with a misspelt field',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, every: 5, points: 1, mx: 1 } },
      ['"mx":1}}]}: unknown field "mx" (did you mean "max"?)'],
    ],
    [
      'max below min',
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'hour' }, times: 1, min: 5, max: 4 } },
      ['4}}]}: max must not be below min'],
    ],
    [
      'escrow without a duration',
      { type: 'addPoints', purse: 'Points', points: 1, escrow: { type: 'duration' } },
      ['{"type":"dur: duration needs value and unit'],
    ],
    [
      'expiry on a day that no year has',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'calendar', month: 2, day: 30 } },
      ['30}}]}: month 2 has no day 30'],
    ],
    [
      'expiry at once',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'rolling', value: 0, unit: 'day' } },
      ['0,"unit":"da: must be >= 1'],
    ],
    [
      'expiry by inactivity of a purse that knows none',
      { type: 'addPoints', purse: 'Points', points: 1, expiry: { type: 'inactivity', value: 1, unit: 'day' } },
      ['"inactivity": points of Points do not expire by inactivity; only its purse policy can say so'],
    ],
    [
      'a built-in metric',
      { type: 'addMetric', metric: 'spend', value: 1 },
      ['"spend","val: "spend" is a metric that the service counts itself'],
    ],
    [
      'an unknown segment',
      { type: 'addSegment', segment: 'VPI' },
      ['"VPI"}]}: unknown segment "VPI" (did you mean "VIP"?)'],
    ],
    [
      'a segment by query',
      { type: 'removeSegment', segment: 'French' },
      ['"French"}]}: the segment "French" selects members by a query; only static ones can be changed'],
    ],
    [
      'data with a bad key',
      { type: 'setData', values: { 'a.b': 1 } },
      [
        '{"a.b":1}}]}: values must not hold keys that are empty, `__proto__`, start with $ or contain a dot or NUL, nor more than 32 levels',
      ],
    ],
  ])('refuses an action: %s', async (_, action, expected) => {
    expect(await faultsOf({ ...base, actions: [action] })).toEqual(expected);
  });

  it.each<[string, unknown, string[]]>([
    ['an unknown offer', { type: 'applyOffer', offer: 'SUMER' }, ['unknown offer "SUMER" (did you mean "SUMMER"?)']],
    ['an unknown reward', { type: 'issueReward', reward: 'JUG' }, ['unknown reward "JUG" (did you mean "MUG"?)']],
    [
      'a referral with an unknown purse',
      { type: 'completeReferral', purse: 'Point', points: 1 },
      ['unknown purse "Point" (did you mean "Points"?)'],
    ],
    [
      'a transfer to nowhere',
      { type: 'transferPoints', purse: 'Points', points: 1 },
      ['a transfer needs one of "toPurse" and "toMember"'],
    ],
    [
      'a transfer to its own purse',
      { type: 'transferPoints', purse: 'Points', points: 1, toPurse: 'Points' },
      ['the points would stay in their purse'],
    ],
    [
      'a transfer whose receiver no activity can name',
      {
        type: 'transferPoints',
        purse: 'Points',
        points: 1,
        toMember: { loyaltyID: { fact: 'member', path: '$.ext.to' } },
      },
      ['only a part of the activity can name the receiver'],
    ],
  ])('refuses what an action names: %s', async (_, action, expected) => {
    const faults = await faultsOf({ ...base, actions: [action] });
    expect(faults.map((fault) => fault.slice(fault.indexOf(': ') + 2))).toEqual(expected);
  });

  it('counts no points of referrals, so it refuses limits of them', async () => {
    const actions = [{ type: 'completeReferral', purse: 'Points', points: 1 }];
    const refused = await faultsOf({ ...base, actions, budget: { points: 100 } });
    expect(refused).toEqual([expect.stringContaining('points of completeReferral are not counted; limit its times')]);
    const limits = [{ what: 'times', per: 'member', period: 'day', max: 1, onExceed: 'skip' }];
    expect(await faultsOf({ ...base, actions, limits })).toEqual([]);
  });

  it('lets an action repeat the inactivity of its purse', async () => {
    const expiry = { type: 'inactivity', value: 1, unit: 'year' };
    const action = { type: 'addPoints', purse: 'Lasting', points: 1, expiry };
    expect(await faultsOf({ ...base, actions: [action] })).toEqual([]);
  });

  it('lets rules for cancellations only set data, log, reject and count', async () => {
    const rule = { ...base, activityTypes: ['Cancellation'] };
    expect(await faultsOf(rule)).toEqual([
      '"addPoints",: a rule for Cancellation may only have setData, log, reject, addMetric',
    ]);
    expect(await faultsOf({ ...rule, actions: [{ type: 'log', message: 'x' }] })).toEqual([]);
  });

  it.each<[string, unknown, unknown[]]>([
    [
      'an unknown fact',
      { ...value, fact: 'activiti' },
      ['"activiti",": unknown fact "activiti" (did you mean "activity"?)'],
    ],
    [
      'a misspelt fact of line items',
      { ...value, fact: 'lineItems' },
      ['"lineItems",: unknown fact "lineItems" (did you mean "lineItem"?)'],
    ],
    [
      'an unknown operator',
      { ...value, operator: 'greatherThan' },
      ['"greatherTha: unknown operator "greatherThan" (did you mean "greaterThan"?)'],
    ],
    ['an unknown decorator', { ...value, operator: 'some:equal' }, ['"some:equal": unknown decorator "some"']],
    [
      'an unknown named list',
      { ...value, path: '$.srcChannelID', operator: 'inNamedList', value: 'Big store' },
      ['"Big store"}: unknown named list "Big store" (did you mean "Big stores"?)'],
    ],
    [
      'inNamedList of a number',
      { ...value, operator: 'inNamedList', value: 'Big stores' },
      ['"inNamedList: inNamedList does not fit activity $.value, which is a number'],
    ],
    [
      'inNamedList with a list of no name',
      { ...value, path: '$.srcChannelID', operator: 'inNamedList', value: 5 },
      ['5}]},"action: inNamedList needs the name of a named list'],
    ],
    [
      'a misspelt path',
      { ...value, path: '$.valeu' },
      ['"$.valeu","o: activity $.valeu: unknown "valeu" (did you mean "value"?)'],
    ],
    [
      'a misspelt purse',
      { ...value, fact: 'member', path: "$.purse['Bonus Point'].balance" },
      [`"$.purse['Bo: member $.purse['Bonus Point'].balance: unknown "Bonus Point" (did you mean "Bonus Points"?)`],
    ],
    [
      'a path outside the grammar',
      { ...value, path: '$..value' },
      [
        `"$..value",": a path looks like $.value, $.lineItems[*].itemSKU or $.purse['Bonus Points']; it has no filters, scripts or ".."`,
      ],
    ],
    [
      'a filter, which would be code',
      { ...value, path: '$.lineItems[?(@.quantity>1)]' },
      [
        `"$.lineItems: a path looks like $.value, $.lineItems[*].itemSKU or $.purse['Bonus Points']; it has no filters, scripts or ".."`,
      ],
    ],
    [
      'a name after a list',
      { ...value, path: '$.lineItems.quantity' },
      [
        '"$.lineItems: activity $.lineItems.quantity: "quantity" stands after a list; use [*] for every element, or [0]',
      ],
    ],
    [
      'params that a fact has not',
      { ...value, params: { a: 1 } },
      ['{"a":1}}]},": the fact "activity" takes no params'],
    ],
    [
      'a number against a text',
      { ...value, value: '5' },
      ['"5"}]},"acti: activity $.value is a number, and "5" is a text'],
    ],
    [
      'greaterThan of a text',
      { ...value, path: '$.type' },
      ['"greaterThan: greaterThan does not fit activity $.type, which is a text'],
    ],
    [
      'contains of a number',
      { ...value, operator: 'contains' },
      ['"contains",": contains does not fit activity $.value, which is a number'],
    ],
    [
      'equal of a list',
      { ...value, path: '$.lineItems[*].quantity', operator: 'equal' },
      [
        '"equal","val: equal does not fit activity $.lineItems[*].quantity, which is a list; use someFact:equal or everyFact:equal',
      ],
    ],
    [
      'someFact of a number',
      { ...value, operator: 'someFact:equal' },
      ['"someFact:eq: someFact needs a list, and activity $.value is a number'],
    ],
    [
      'in without a list',
      { ...value, operator: 'in', value: 5 },
      ['5}]},"action: in needs a list, such as ["a", "b"]'],
    ],
    [
      'in with a wrong element',
      { ...value, operator: 'in', value: [5, 'x'] },
      ['[5,"x"]}]},": activity $.value is a number, and "x" is a text'],
    ],
    [
      'a date that is none',
      { fact: 'activity', path: '$.date', operator: 'before', value: 'soon' },
      ['"soon"}]},"a: activity $.date is a date, and "soon" is not one, such as "2026-01-31T00:00:00Z"'],
    ],
    [
      'between one value',
      { ...value, operator: 'between', value: [1] },
      ['[1]}]},"acti: between needs a list of two values, lowest first'],
    ],
    [
      'withinDays of a text',
      { fact: 'member', path: '$.enrolledAt', operator: 'withinDays', value: '30' },
      ['"30"}]},"act: withinDays needs a number of days, 0 or more'],
    ],
    [
      'a regular expression with look-ahead',
      { fact: 'activity', path: '$.type', operator: 'matches', value: '(?=a)' },
      [expect.stringContaining('not a regular expression that RE2 knows')],
    ],
    [
      'isEmpty of a text',
      { fact: 'activity', path: '$.type', operator: 'isEmpty', value: 'yes' },
      ['"yes"}]},"ac: isEmpty needs true or false'],
    ],
    [
      'a fact against a fact of another type',
      { ...value, value: { fact: 'now' } },
      ['{"fact":"now: activity $.value is a number, and now is a date'],
    ],
    [
      'a fact to compare with that is unknown',
      { ...value, value: { fact: 'nwo' } },
      ['"nwo"}}]},"a: unknown fact "nwo" (did you mean "now"?)'],
    ],
    [
      'no value',
      { ...value, value: undefined },
      ['{"fact":"act: a condition is all, any, not, condition or a comparison; this one has no value'],
    ],
    [
      'a misspelt field',
      { ...value, parms: {} },
      ['"parms":{}}]: "parms" is not a field of a condition (did you mean "params"?)'],
    ],
    ['priority 0', { ...value, priority: 0 }, ['0}]},"action: priority must be a whole number from 1 to 1000000']],
    [
      'two words in one node',
      { all: [], any: [value] },
      ['"any":[{"fac: "all" and "any" stand in one condition; nest one in the other'],
    ],
    [
      'an empty any',
      { any: [] },
      ['[]}]},"actio: an empty "any" says nothing; leave it out, or use {"all": []} for always'],
    ],
    ['all that is no list', { all: value }, ['{"fact":"act: "all" must be a list of conditions']],
    ['not with a list', { not: [value] }, ['[{"fact":"ac: "not" holds one condition, not a list']],
    ['no object', 'always', ['"always"]},": a condition is an object']],
    ['an unknown named condition', { condition: 'weekend' }, ['"weekend"}]}: unknown named condition "weekend"']],
  ])('refuses a condition: %s', async (_, condition, expected) => {
    expect(await faultsOf(withCondition(condition))).toEqual(expected);
  });

  it('refuses an outermost comparison, as json-rules-engine does', async () => {
    expect(await faultsOf({ ...base, conditions: value })).toEqual([
      '{"fact":"act: the outermost condition must be all, any, not or condition: {"all": [ ... ]}',
    ]);
  });

  it.each<[string, unknown]>([
    ['an empty all', { all: [] }],
    ['decorators', { ...value, path: '$.lineItems[*].quantity', operator: 'everyFact:not:in', value: [1, 2] }],
    ['the length of a list', { ...value, path: '$.lineItems.length' }],
    ['extension fields of any name', { ...value, path: '$.ext.anything.at[0].all' }],
    [
      'dates by instant',
      { fact: 'activity', path: '$.date', operator: 'between', value: ['2026-01-01', '2026-02-01T00:00:00Z'] },
    ],
    ['a fact against a fact', { ...value, value: { fact: 'member', path: '$.purse.Points.availBalance' } }],
    ['null', { fact: 'activity', path: '$.partnerCode', operator: 'equal', value: null }],
    ['swap', { fact: 'activity', path: '$.type', operator: 'swap:contains', value: ['Accrual'] }],
    ['someValue', { fact: 'activity', path: '$.type', operator: 'someValue:startsWith', value: ['Acc', 'Red'] }],
  ])('accepts %s', async (_, condition) => {
    expect(await faultsOf(withCondition(condition))).toEqual([]);
  });

  it('warns of what can never be true, and of a metric that looks misspelt, without refusing', async () => {
    const rule = {
      ...withCondition({ fact: 'member', path: '$.tier.Status', operator: 'equal', value: 'Gould' }),
      actions: [{ type: 'addMetric', metric: 'onlineSpent', value: 1 }],
    };
    const { rules, errors, warnings } = await readRules([file(rule)], definitions);
    expect(errors).toEqual([]);
    expect(rules).toHaveLength(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      'member $.tier.Status is never "Gould" (did you mean "Gold"?)',
      '"onlineSpent" is a new metric (did you mean "onlineSpend"?)',
    ]);
  });

  it('bounds depth and number of conditions', async () => {
    const nest = (depth: number): unknown => (depth === 0 ? value : { not: nest(depth - 1) });
    expect(await faultsOf(withCondition(nest(30)))).toEqual([]);
    expect(await faultsOf(withCondition(nest(31)))).toEqual(['{"fact":"act: conditions nest deeper than 32 levels']);
    const many = (count: number) => ({ ...base, conditions: { all: Array.from({ length: count }, () => value) } });
    expect(await faultsOf(many(499))).toEqual([]);
    expect(await faultsOf(many(500))).toEqual(['{"all":[{"fa: these are 501 conditions; a rule has at most 500']);
  });

  it('names every fault of every file in one pass', async () => {
    const files = [
      file({ ...base, priority: 0, activityTypes: ['x'] }, 'demo/a.json'),
      file([withCondition({ ...value, operator: 'nope' }), { ...base, key: 'b', group: 'g' }], 'demo/b.json'),
      file(base, 'nowhere/c.json'),
    ];
    const { errors } = await readRules(files, definitions);
    expect(errors.map(({ file: path, message }) => `${path} ${message}`)).toEqual([
      'demo/a.json priority must be >= 1',
      'demo/b.json unknown operator "nope"',
      'demo/b.json a group needs "pick": all, first, highest or lowest',
      'nowhere/c.json no program has the code "nowhere"',
    ]);
  });

  it('refuses a key that another rule of the program has, but not one of another program', async () => {
    const other = { ...base, actions: [{ type: 'addPoints', purse: 'Miles', points: 1 }] };
    const files = [file([base, base], 'demo/a.json'), file(other, 'other/a.json')];
    const { errors } = await readRules(files, definitions);
    expect(errors).toMatchObject([
      { file: 'demo/a.json', message: 'the key "base" is taken by "base" in demo/a.json' },
    ]);
  });

  it('refuses a group that is picked from in two ways, or over several priorities', async () => {
    const member = (key: string, more: object) => ({ ...base, key, group: 'g', pick: 'highest', ...more });
    const { errors } = await readRules(
      [file([member('a', {}), member('b', { pick: 'first' }), member('c', { priority: 2 })])],
      definitions,
    );
    expect(errors.map(({ message }) => message)).toEqual([
      'the group "g" has "pick": "highest" in "a" in demo/a.json',
      '"pick": "highest" needs one priority for the whole group; "a" in demo/a.json has 1',
    ]);
  });

  it('bounds the number of rules', async () => {
    const rules = Array.from({ length: 5001 }, (_, index) => ({ ...base, key: `r${index}` }));
    const files = [0, 1].map((half) =>
      file(
        rules.filter((_, index) => index % 2 === half),
        `demo/${half}.json`,
      ),
    );
    const { errors } = await readRules(files, definitions);
    expect(errors).toMatchObject([{ file: 'demo/1.json', message: 'this is rule 5001; an org has at most 5000' }]);
  });
});

describe('named conditions', () => {
  const weekend = {
    namedCondition: 'weekend',
    conditions: { any: [{ fact: 'dayOfWeek', operator: 'in', value: [0, 6] }] },
  };

  it('stand in any file of the program and are expanded where they are used', async () => {
    const rule = withCondition({ condition: 'weekend', priority: 3 });
    const { rules, errors } = await readRules([file(rule), file([weekend], 'demo/z.json')], definitions);
    expect(errors).toEqual([]);
    expect(rules[0]?.conditions).toEqual({ all: [{ priority: 3, any: weekend.conditions.any }] });
  });

  it('belong to their program', async () => {
    const { errors } = await readRules(
      [file({ ...base, conditions: { condition: 'weekend' } }), file(weekend, 'other/z.json')],
      definitions,
    );
    expect(errors).toMatchObject([{ message: 'unknown named condition "weekend"' }]);
  });

  it.each<[string, unknown[], string[]]>([
    [
      'a circle',
      [
        { namedCondition: 'a', conditions: { condition: 'b' } },
        { namedCondition: 'b', conditions: { all: [{ condition: 'a' }] } },
      ],
      ['"a" refers to itself: a -> b -> a'],
    ],
    ['a second definition', [weekend, weekend], ['the named condition "weekend" is defined twice']],
    [
      'an own fault',
      [{ namedCondition: 'a', conditions: { any: [] } }],
      ['an empty "any" says nothing; leave it out, or use {"all": []} for always'],
    ],
    [
      'a misspelt field',
      [{ ...weekend, descripton: 'x' }],
      ['unknown field "descripton" (did you mean "description"?)'],
    ],
  ])('refuse %s', async (_, entries, expected) => {
    const { errors } = await readRules([file(entries)], definitions);
    expect(errors.map(({ message }) => message)).toEqual(expected);
  });

  it('cannot be used to blow a rule up', async () => {
    const levels = Array.from({ length: 30 }, (_, level) => ({
      namedCondition: `n${level}`,
      conditions: { all: level === 29 ? [value] : [{ condition: `n${level + 1}` }, { condition: `n${level + 1}` }] },
    }));
    const rule = { ...base, conditions: { all: [{ condition: 'n0' }] } };
    const { errors } = await readRules([file([...levels, rule])], definitions);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^these are \d+ conditions; a rule has at most 500$/),
    ]);
  });
});
