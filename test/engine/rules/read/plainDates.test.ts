import { ObjectId } from 'bson';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { listComparisons } from '#engine/rules/language/condition';
import { readRules, readSourcedRules } from '#engine/rules/read/readRules';
import { activity, decideWith, programId } from '../builders';

const timezone = 'America/New_York';
const definitions: RuleReferences = {
  programs: [{ _id: new ObjectId(), code: 'demo', timezone, purses: ['Points'], tiers: [], offers: [], rewards: [] }],
  activityTypes: ['Accrual'],
  segments: [],
  metrics: [],
};
const base = { key: 'a', name: 'A', activityTypes: ['Accrual'], actions: [{ type: 'log', message: 'x' }] };

async function read(fields: object): Promise<RuleDefinition> {
  const { rules, errors } = await readRules(
    [{ path: 'demo/a.json', text: JSON.stringify({ ...base, ...fields }) }],
    definitions,
  );
  expect(errors).toEqual([]);
  const [rule] = rules;
  if (!rule) throw new Error('no rule');
  return rule;
}

async function firesAt(rule: RuleDefinition, date: string): Promise<boolean> {
  const { decision } = await decideWith([{ ...rule, programId, _id: new ObjectId(), version: 1 }], {
    activity: activity({ date: new Date(date) }),
    program: { _id: programId, code: 'demo', timezone },
  });
  expect(decision.errors).toEqual([]);
  return decision.ruleMatch[0]?.fired === true;
}

/** Around 1 October 2026 in New York, which is four hours behind UTC. */
const moments = {
  before: '2026-10-01T03:59:59.999Z',
  first: '2026-10-01T04:00:00.000Z',
  last: '2026-10-02T03:59:59.999Z',
  after: '2026-10-02T04:00:00.000Z',
};
const firing = async (rule: RuleDefinition) => {
  const fired: string[] = [];
  for (const [name, date] of Object.entries(moments)) if (await firesAt(rule, date)) fired.push(name);
  return fired;
};

describe('a plain date is the day in the zone of the program', () => {
  it.each<[string, unknown, string[]]>([
    ['before', '2026-10-01', ['before']],
    ['after', '2026-10-01', ['after']],
    ['lessThan', '2026-10-01', ['before']],
    ['lessThanInclusive', '2026-10-01', ['before', 'first', 'last']],
    ['greaterThan', '2026-10-01', ['after']],
    ['greaterThanInclusive', '2026-10-01', ['first', 'last', 'after']],
    ['equal', '2026-10-01', ['first', 'last']],
    ['notEqual', '2026-10-01', ['before', 'after']],
    ['not:before', '2026-10-01', ['first', 'last', 'after']],
    ['between', ['2026-10-01', '2026-10-01'], ['first', 'last']],
    ['between', ['2026-10-01', '2026-10-02'], ['first', 'last', 'after']],
    ['between', ['2026-09-30', '2026-10-01T04:00:00Z'], ['before', 'first']],
  ])('%s is %j', async (operator, value, expected) => {
    const conditions = { all: [{ fact: 'activity', path: '$.date', operator, value }] };
    expect(await firing(await read({ conditions }))).toEqual(expected);
  });

  it.each<[object, string[]]>([
    [{ from: '2026-10-01' }, ['first', 'last', 'after']],
    [{ to: '2026-10-01' }, ['before', 'first', 'last']],
    [{ from: '2026-10-01', to: '2026-10-01' }, ['first', 'last']],
    [{ from: '2026-10-01T04:00:00.001Z', to: '2026-10-01' }, ['last']],
  ])('in effective %j', async (effective, expected) => {
    expect(await firing(await read({ effective }))).toEqual(expected);
  });

  it('also on the last day that a date may have', async () => {
    const all = (operator: string, value: unknown) => ({
      conditions: { all: [{ fact: 'activity', path: '$.date', operator, value }] },
    });
    for (const fields of [
      all('between', ['2026-01-01', '9999-12-31']),
      all('lessThanInclusive', '9999-12-31'),
      { effective: { to: '9999-12-31' } },
    ]) {
      const rule = await read(fields);
      expect(await firing(rule)).toEqual(['before', 'first', 'last', 'after']);
      const { file: _file, position: _at, programId: _id, programCode: _code, ...written } = rule;
      expect(await read(JSON.parse(JSON.stringify(written)))).toEqual(rule);
    }
  });

  it('but not in a comparison with a birth date, which is a plain date itself', async () => {
    const conditions = { all: [{ fact: 'member', path: '$.birthDate', operator: 'equal', value: '2000-10-01' }] };
    expect((await read({ conditions })).conditions).toEqual(conditions);
  });

  it('a day that does not exist, or an empty time, is a fault', async () => {
    const faults = async (effective: object) => {
      const text = JSON.stringify({ ...base, effective });
      const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions);
      return errors.map(({ message }) => message);
    };
    expect(await faults({ from: '2026-02-30' })).toEqual([expect.stringContaining('must be a date')]);
    expect(await faults({ from: '2026-10-02', to: '2026-10-01' })).toEqual(['to must be later than from']);
  });

  it('keeps its position in the file, for coverage', async () => {
    const conditions = { all: [{ fact: 'activity', path: '$.date', operator: 'before', value: '2026-10-01' }] };
    const text = JSON.stringify([
      { ...base, conditions },
      { ...base, key: 'b', conditions: { all: [] } },
    ]);
    const { rules, comparisons } = await readSourcedRules([{ path: 'demo/a.json', text }], definitions);
    const [condition] = listComparisons(rules[0]?.conditions ?? { all: [] });
    expect(condition && comparisons().get(condition)).toMatchObject({
      line: 1,
      column: text.indexOf('"2026-10-01"') + 1,
    });
  });
});
