import { ObjectId } from 'bson';
import fc from 'fast-check';
import { decide } from '#engine/rules/decide/decide';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import { referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { noLists } from '#engine/rules/evaluate/resolvedLists';
import { indexRules } from '#engine/rules/evaluate/ruleSet';
import { explainRule } from '#engine/rules/explain/explainRule';
import { notEnriched } from '#engine/rules/format/enriched';
import type { ReadResult } from '#engine/rules/read/readRules';
import type { Activity } from '#records/activities/activity';
import { scaled } from '../../../support/scale';
import { activity, memberId, noon, programId, TestTarget } from '../builders';
import { distance, distances, distancesCsv, flight, placed, readEntries } from './lookupWorld';

const read = (rule: object = flight, csv = distancesCsv, declared: object = distances) =>
  readEntries([declared, rule], { 'distances.csv': csv });

/** Decides an activity by the rules of files. */
async function decided(
  { rules, lookupTables }: ReadResult,
  changes: Partial<Activity>,
  evaluator: Evaluator = compiledEvaluator(),
) {
  const target = new TestTarget();
  const drafts = rules.map((draft) => ({ ...draft, _id: new ObjectId(), version: 1 }));
  const decision = await decide({
    activity: activity(changes),
    memberId,
    program: { _id: programId, code: 'demo', timezone: 'UTC' },
    now: noon,
    lists: noLists,
    enriched: notEnriched,
    usage: new Map(),
    evaluator,
    target,
    rules: indexRules(drafts, lookupTables),
  });
  return { decision, points: target.balance };
}

const flown = (from: unknown, to: unknown) => ({ ext: { from, to } });

describe('the fact table', () => {
  it('is the row with the keys, in conditions and amounts', async () => {
    const rules = await read();
    expect(placed(rules.errors)).toEqual([]);
    expect((await decided(rules, flown('ZRH', 'JFK'))).points).toBe(7848);
    expect((await decided(rules, flown('ZRH', 'GVA'))).points).toBe(286);
  });

  it.each([
    ['another order', 'JFK', 'ZRH'],
    ['an unknown key', 'ZRH', 'XXX'],
    ['a missing key', 'ZRH', undefined],
    ['a number', 'ZRH', 5],
    ['a list', 'ZRH', ['JFK']],
    ['texts that look alike when joined', 'ZRH\0JFK', ''],
    ['a name that every object has', 'constructor', '__proto__'],
  ])('is missing for %s', async (_, from, to) => {
    const { decision, points } = await decided(await read(), flown(from, to));
    expect([points, decision.errors, decision.kept]).toEqual([0, [], []]);
  });

  it('has no field for an empty cell', async () => {
    const conditions = { all: [{ ...distance('factor'), operator: 'isEmpty', value: true }] };
    const rules = await read({ ...flight, conditions });
    expect((await decided(rules, flown('ZRH', 'GVA'))).points).toBe(286);
    expect((await decided(rules, flown('ZRH', 'JFK'))).points).toBe(0);
  });

  it('takes keys from values, from line items, and from other tables', async () => {
    const fares = { lookupTable: 'fares', csv: 'fares.csv', keys: ['zone', 'class'] };
    const zone = distance('zone', ['ZRH', { fact: 'activity', path: '$.ext.to' }]);
    const keys = [zone, { fact: 'lineItem', path: '$.ext.class' }];
    const factor = { fact: 'table', path: '$.factor', params: { name: 'fares', keys } };
    const rule = {
      key: 'fare',
      name: 'Fare',
      activityTypes: ['Accrual'],
      perLine: true,
      conditions: { all: [{ ...factor, operator: 'greaterThan', value: 0 }] },
      actions: [{ type: 'addPoints', purse: 'Points', points: { of: factor, times: 100 } }],
    };
    const files = { 'distances.csv': distancesCsv, 'fares.csv': 'zone,class,factor\nAtlantic,C,2.5\nAtlantic,Y,1\n' };
    const rules = await readEntries([fares, distances, rule], files);
    expect(placed(rules.errors)).toEqual([]);
    const lineItems = ['C', 'Y', 'F'].map((name) => ({ ext: { class: name } }));
    const { decision, points } = await decided(rules, { ext: { to: 'JFK' }, lineItems });
    expect(points).toBe(350);
    const rows = decision.factsRead.filter(({ fact, path }) => fact === 'table' && path === '$.factor');
    expect(rows.map(({ line, value }) => [line, value])).toEqual([
      [0, 2.5],
      [1, 1],
      [2, undefined],
    ]);
    const { perLine: _perLine, ...once } = rule;
    const { errors } = await readEntries([fares, distances, once], files);
    expect(errors.map(({ message }) => message)).toContain('the fact "lineItem" needs "perLine": true');
  });

  it('is recorded as the read value with its keys', async () => {
    const { decision } = await decided(await read(), flown('ZRH', 'JFK'));
    expect(decision.factsRead.map(({ fact, path, value }) => [fact, path, value])).toEqual([
      ['table', '$.zone', 'Atlantic'],
      ['activity', '$.ext.from', 'ZRH'],
      ['activity', '$.ext.to', 'JFK'],
      ['table', '$.miles', 3924],
    ]);
  });

  it('is said in sentences', async () => {
    const { rules } = await read();
    const [rule] = rules;
    expect(rule && explainRule(rule).join('\n')).toContain(
      "2 × the miles in the table distances for the activity's ext.from and the activity's ext.to",
    );
  });

  it('works in the tests of a rule', async () => {
    const tests = [
      { name: 'far', activity: { type: 'Accrual', ...flown('ZRH', 'JFK') }, expect: { points: { Points: 7848 } } },
      { name: 'off', activity: { type: 'Accrual', ...flown('ZRH', 'JFK') }, expect: { points: { Points: 1 } } },
    ];
    const { errors } = await read({ ...flight, tests });
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('test "off" fails: expected 1 Points, got 7848'),
    ]);
  });
});

describe('rules of files', () => {
  it('have the content hash of each table, which changes with the content only', async () => {
    const hashOf = async (csv: string) => (await read(flight, csv)).rules[0]?.lookupTables?.distances;
    const hash = await hashOf(distancesCsv);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const moved = 'to,zone,from,factor,miles\r\nJFK,Atlantic,ZRH,1.5,3924\r\n\r\nGVA,Home,ZRH,,143';
    expect(await hashOf(moved)).toBe(hash);
    expect(await hashOf(distancesCsv.replace('143', '144'))).not.toBe(hash);
  });

  it('that read no table have none, and a warning names the unused table', async () => {
    const { rules, lookupTables, warnings } = await read({ ...flight, conditions: { all: [] }, actions: [logging] });
    expect(rules[0]).not.toHaveProperty('lookupTables');
    expect(lookupTables.size).toBe(0);
    expect(placed(warnings)).toEqual(['a.json:3:18 no rule reads the lookup table "distances"']);
  });
});

const logging = { type: 'log', message: 'Hello' };

describe('any table', () => {
  const cell = fc.oneof(fc.constantFrom('a', 'b', 'A', '1', '01', 'true', 'ä'), fc.string({ maxLength: 3 }));
  const plain = cell.filter(
    (text) => text.trim() === text && text !== '' && !/[\p{Cc}\uFEFF\ud800-\udfff]/u.test(text),
  );
  const row = fc.record({ a: plain, b: plain, n: fc.integer({ min: -999, max: 999 }) });
  const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 20, selector: ({ a, b }) => JSON.stringify([a, b]) });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const evaluators = { compiled: compiledEvaluator(), 'json-rules-engine': referenceEvaluator() };

  it.each(Object.entries(evaluators))('gives the row that a search finds, by %s', async (_, evaluator) => {
    await fc.assert(
      fc.asyncProperty(rows, plain, plain, fc.nat(), async (table, a, b, chosen) => {
        const csv = ['a,b,n', ...table.map((each) => `${quoted(each.a)},${quoted(each.b)},${each.n}`)].join('\n');
        const keys = ['$.ext.a', '$.ext.b'].map((path) => ({ fact: 'activity', path }));
        const n = { fact: 'table', path: '$.n', params: { name: 'any', keys } };
        const rules = await readEntries(
          [
            { lookupTable: 'any', csv: 'any.csv', keys: ['a', 'b'] },
            {
              key: 'rule',
              name: 'Rule',
              activityTypes: ['Accrual'],
              conditions: { all: [{ ...n, operator: 'equal', value: { fact: 'activity', path: '$.value' } }] },
              actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
            },
          ],
          { 'any.csv': csv },
        );
        expect(placed(rules.errors)).toEqual([]);
        const requests = [{ a, b }, table[chosen % table.length] ?? { a, b }];
        for (const ext of requests) {
          const found = table.find((each) => each.a === ext.a && each.b === ext.b);
          const { points } = await decided(rules, { ext: { a: ext.a, b: ext.b }, value: found?.n ?? 0 }, evaluator);
          expect(points).toBe(found ? 1 : 0);
        }
      }),
      { numRuns: scaled(100) },
    );
  });
});
