import fc from 'fast-check';
import type { Rule } from '#engine/rules/format/rule';
import type { Condition } from '#engine/rules/language/condition';
import { lintRules } from '#engine/rules/lint/lintRules';
import { stopwatch } from '../../../support/givenTime';
import { scaled, seedsOf } from '../../../support/scale';
import { activity, award, decideWith } from '../builders';

const now = new Date('2026-06-01T00:00:00Z');
const compare = (path: string, operator: string, value: unknown): Condition => ({
  fact: 'activity',
  path,
  operator,
  value,
});
const asks = (...all: Condition[]) => ({ conditions: { all } });
const channel = (operator: string, value: unknown) => compare('$.srcChannelType', operator, value);
const value = (operator: string, than: number | number[]) => compare('$.value', operator, than);

const dayIs = (day: number): Condition => ({ fact: 'dayOfWeek', operator: 'equal', value: day });
const hourIs = (operator: string, hour: number): Condition => ({ fact: 'hour', operator, value: hour });

async function findings(...rules: Rule[]) {
  const found = await lintRules(rules, now);
  return found.map(({ kind, rule, other, path, message }) => [
    kind,
    `${rule.key}${other ? ` ${other.key}` : ''} ${path.join('.')}`,
    message,
  ]);
}
const kinds = async (...rules: Rule[]) =>
  (await findings(...rules)).map(([kind, keys]) => `${kind} ${String(keys).split(' ').slice(0, -1).join(' ')}`);

describe('a rule that never fires', () => {
  it.each<[string, Partial<Rule>]>([
    ['an interval without a value', asks(value('greaterThan', 10), value('lessThan', 5))],
    ['an interval of nothing', asks(value('greaterThan', 10), value('lessThanInclusive', 10))],
    ['a range the wrong way round', asks(value('between', [20, 10]))],
    ['two values', asks(channel('equal', 'Web'), channel('equal', 'POS'))],
    ['a value outside of a list', asks(channel('in', ['Web', 'POS']), channel('equal', 'Mobile'))],
    ['a value that another condition takes away', asks(channel('equal', 'Web'), channel('notIn', ['Web', 'POS']))],
    ['a list of nothing', asks(channel('in', []))],
    ['an element of nothing', asks(compare('$.lineItems[*].itemSKU', 'someFact:in', []))],
    ['a value and that there is none', asks(compare('$.ext.a', 'isEmpty', true), compare('$.ext.a', 'equal', 5))],
    [
      'two beginnings',
      asks(compare('$.srcChannelID', 'startsWith', 'A'), compare('$.srcChannelID', 'startsWith', 'B')),
    ],
    ['an hour that no day has', asks({ fact: 'hour', operator: 'greaterThanInclusive', value: 24 })],
    ['a day that no week has', asks({ fact: 'dayOfWeek', operator: 'equal', value: 7 })],
    [
      'alternatives that all contradict',
      asks(value('lessThan', 5), { any: [value('greaterThan', 9), value('equal', 7)] }),
    ],
    [
      'a condition and its opposite',
      asks(
        { fact: 'member', path: '$.segments', operator: 'contains', value: 'VIP' },
        { not: { fact: 'member', path: '$.segments', operator: 'contains', value: 'VIP' } },
      ),
    ],
    ['another day than its hours', { hours: { days: ['Mon'] }, ...asks(dayIs(2)) }],
    ['another hour than its hours', { hours: { from: '18:00', to: '22:00' }, ...asks(hourIs('lessThan', 18)) }],
    ['the hour that its hours end with', { hours: { to: '22:00' }, ...asks(hourIs('greaterThanInclusive', 22)) }],
    [
      'a day two days after hours past midnight',
      { hours: { days: ['Sat'], from: '22:00', to: '02:00' }, ...asks(dayIs(1)) },
    ],
    ['a type that the rule does not look at', asks(compare('$.type', 'equal', 'Redemption'))],
    [
      'a date after its own end',
      { ...asks(compare('$.date', 'after', '2027-01-01')), effective: { to: new Date('2026-12-31') } },
    ],
    [
      'a date before its own beginning',
      { ...asks(compare('$.date', 'lessThan', '2026-01-01T00:00:00Z')), effective: { from: new Date('2026-01-01') } },
    ],
  ])('%s', async (_, changes) => {
    expect(await findings(award('a', 5, changes))).toEqual([
      ['never', expect.stringMatching(/^a conditions/), expect.stringMatching(/^never fires: it needs /)],
    ]);
  });

  it('is reported with the conditions that contradict each other, at the last of them', async () => {
    const rule = award('a', 5, asks(value('greaterThan', 10), channel('equal', 'Web'), value('lessThan', 5)));
    expect(await findings(rule)).toEqual([
      [
        'never',
        'a conditions.all.2.value',
        "never fires: it needs at once that the activity's value is above 10, and that the activity's value is below 5",
      ],
    ]);
  });

  it.each<[string, Partial<Rule>]>([
    ['one value that is possible', asks(value('greaterThanInclusive', 10), value('lessThanInclusive', 10))],
    [
      'what other facts decide',
      asks(value('greaterThan', 10), compare('$.value', 'lessThan', { fact: 'hour' } as never)),
    ],
    [
      'elements that may be several',
      asks(compare('$.lineItems[*].itemSKU', 'contains', 'A'), compare('$.lineItems[*].itemSKU', 'contains', 'B')),
    ],
    [
      'a date that its period has',
      { ...asks(compare('$.date', 'after', '2026-05-01')), effective: { to: new Date('2026-12-31') } },
    ],
    [
      'one alternative that is possible',
      asks(value('lessThan', 5), { any: [value('greaterThan', 9), value('equal', 3)] }),
    ],
    ['nothing at all', {}],
  ])('is not found with %s', async (_, changes) => {
    expect(await findings(award('a', 5, changes))).toEqual([]);
  });

  it('is no finding when the rule is not active', async () => {
    expect(await findings(award('a', 5, { ...asks(channel('in', [])), status: 'draft' }))).toEqual([]);
  });
});

it('a rule that has ended is a finding that says when', async () => {
  const ended = award('a', 5, { effective: { to: now } });
  const running = award('b', 5, { effective: { to: new Date(now.getTime() + 1) } });
  expect(await findings(ended, running)).toEqual([
    ['ended', 'a effective.to', 'ended on 2026-06-01T00:00:00.000Z; only activities dated before can still meet it'],
  ]);
});

describe('equal conditions', () => {
  const web = asks(channel('equal', 'Web'), value('greaterThan', 5));
  const reworded = { conditions: { not: { any: [{ not: value('greaterThan', 5) }, channel('notEqual', 'Web')] } } };

  it('are found in another order and notation', async () => {
    expect(await findings(award('a', 5, web), award('b', 9, reworded))).toEqual([
      ['same', 'b a conditions', 'also has addPoints "Points" under the same conditions as'],
    ]);
  });

  const level = (name: string) => ({ type: 'setTier', policy: 'Status', level: name }) as const;
  const points = (purse: string) => ({ type: 'addPoints', purse, points: 5 }) as const;
  const says = (message: string) => ({ type: 'log', message }) as const;

  it.each<[string, Rule['actions'], string[]]>([
    ['points of another purse', [points('Bonus')], []],
    ['a level', [level('Gold')], ['same c b: also has setTier "Status" under the same conditions as']],
    ['a line', [says('one')], []],
    [
      'the same as several',
      [level('Gold'), points('Points'), says('two')],
      ['same c b: also has setTier "Status", log under the same conditions as'],
    ],
  ])('are found only where two rules have equal effects: the third has %s', async (_, actions, found) => {
    const rules = [
      award('a', 5, web),
      award('b', 5, { ...web, actions: [level('Silver'), says('two')] }),
      award('c', 5, { ...web, actions }),
    ];
    const actual = (await findings(...rules)).map(([kind, keys, message]) => `${kind} ${keys}: ${message}`);
    expect(actual.map((line) => line.replace(' conditions:', ':'))).toEqual(found);
  });

  it.each<[string, Partial<Rule>]>([
    ['other types', { activityTypes: ['Redemption'] }],
    ['another priority, which may see other facts', { priority: 7 }],
    ['another group', { group: 'g', pick: 'all' }],
    ['other times', { effective: { from: now } }],
    ['other hours', { hours: { days: ['Sat'] } }],
    ['other tiers', { tiers: ['Gold'] }],
    ['line items', { perLine: true }],
  ])('are no finding with %s', async (_, changes) => {
    expect(await kinds(award('a', 5, web), award('b', 9, { ...web, ...changes }))).toEqual([]);
  });

  it('are no finding in a group of which the one with the most points fires', async () => {
    const group = { group: 'g', pick: 'highest' } as const;
    expect(await kinds(award('a', 5, { ...web, ...group }), award('b', 9, { ...web, ...group }))).toEqual([]);
  });

  it('are no finding where a rule asks for nothing', async () => {
    expect(await kinds(award('a', 5), award('b', 9))).toEqual([]);
  });
});

describe('a rule inside another that comes first', () => {
  const large = asks(value('greaterThan', 100));
  const small = asks(value('greaterThan', 10));

  it('never fires behind a stop', async () => {
    const rules = [award('first', 5, { ...small, priority: 9, stop: true }), award('then', 5, large)];
    expect(await findings(...rules)).toEqual([
      ['inside', 'then first conditions', expect.stringContaining('a rule that stops all after it')],
    ]);
  });

  it('never fires behind the first of its group', async () => {
    const group = { group: 'g', pick: 'first' } as const;
    expect(await findings(award('a', 5, { ...small, ...group }), award('b', 5, { ...large, ...group }))).toEqual([
      ['inside', 'b a conditions', expect.stringContaining('a rule that is the first of the group')],
    ]);
    const inOrder = [award('a', 5, { ...large, ...group }), award('b', 5, { ...small, ...group })];
    expect(await kinds(...inOrder)).toEqual([]);
  });

  it.each<[string, Partial<Rule>]>([
    ['a limit', { limits: [{ what: 'times', per: 'member', period: 'day', max: 1, onExceed: 'skip' }] }],
    ['a budget', { budget: { points: 100 } }],
    ['a lower priority', { priority: 1, file: 'demo/z.json' }],
    ['fewer types', { activityTypes: ['Redemption'] }],
    ['hours', { hours: { days: ['Sat'] } }],
    ['an end', { effective: { to: new Date('2027-01-01') } }],
    ['segments that others may change', { segments: ['VIP'] }],
    ['line items', { perLine: true }],
    ['no stop', { stop: false }],
    [
      'conditions that others may change',
      asks({ fact: 'member', path: '$.purse.Points.balance', operator: 'lessThan', value: 5 }),
    ],
  ])('may fire when the first has %s', async (_, changes) => {
    const first = award('first', 5, { ...small, priority: 9, stop: true, ...changes });
    const then = award('then', 5, {
      conditions: { all: [...large.conditions.all, ...('all' in first.conditions ? first.conditions.all : [])] },
    });
    expect(await kinds(first, { ...then, segments: ['VIP'] })).toEqual([]);
  });

  it('is found among thousands without delay', async () => {
    const rows = Array.from({ length: 2000 }, (_, n) =>
      award(`r${String(n).padStart(4, '0')}`, 5, {
        ...asks(channel('equal', `C${n % 1999}`)),
        group: 'g',
        pick: 'first',
        priority: 3,
      }),
    );
    const takenMs = stopwatch();
    expect(await kinds(...rows)).toEqual(['same r1999 r0000', 'inside r1999 r0000']);
    expect(takenMs()).toBeLessThan(5000);
  });
});

const leaf = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('greaterThan', 'lessThan', 'equal', 'greaterThanInclusive', 'notEqual'),
      fc.integer({ min: 0, max: 4 }),
    )
    .map(([operator, than]) => value(operator, than)),
  fc
    .tuple(fc.constantFrom('equal', 'notEqual'), fc.constantFrom('Web', 'POS'))
    .map(([operator, name]) => channel(operator, name)),
  fc
    .integer({ min: 0, max: 9 })
    .map(
      (than): Condition => ({ fact: 'member', path: '$.purse.Points.availBalance', operator: 'lessThan', value: than }),
    ),
  fc.constantFrom(11, 12, 13).map((hour): Condition => ({ fact: 'hour', operator: 'equal', value: hour })),
  fc.constantFrom('2026-03-11T00:00:00Z', '2026-03-12T00:00:00Z').map((date) => compare('$.date', 'after', date)),
);
const days = ['2026-03-11T00:00:00Z', '2026-03-11T12:00:00Z', '2026-03-12T00:00:00Z'].map((text) => new Date(text));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const ruleChanges = fc.record(
  {
    conditions: fc
      .array(
        fc.oneof(
          leaf,
          fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any): Condition => ({ any })),
        ),
        { maxLength: 3 },
      )
      .map((all) => ({ all })),
    priority: fc.integer({ min: 1, max: 3 }),
    stop: optional(fc.boolean()),
    group: optional(fc.constant('g')),
    effective: optional(fc.constantFrom({ from: days[1] }, { to: days[1] })),
    segments: optional(fc.constantFrom(['VIP'], ['New', 'VIP'])),
    hours: optional(fc.constant({ days: ['Wed' as const] })),
    perLine: optional(fc.boolean()),
    budget: optional(fc.constant({ points: 4 })),
    activityTypes: fc.constantFrom(['Accrual'], ['Accrual', 'Visit']),
    segment: fc.boolean(),
  },
  { requiredKeys: ['conditions', 'priority', 'activityTypes', 'segment'] },
);
const scenes = fc.array(
  fc.record({
    type: fc.constantFrom('Accrual', 'Visit'),
    value: fc.integer({ min: 0, max: 4 }),
    srcChannelType: optional(fc.constantFrom('Web', 'POS', 'Mobile')),
    date: fc.constantFrom(...days),
    items: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 12, maxLength: 12 },
);

const fixedSeed = 5;

it.each(seedsOf(fixedSeed))(
  'a rule that fires is never reported, and only rules that fire together are called equal (seed %i)',
  async (seed) => {
    const found = { never: 0, inside: 0, same: 0, ended: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(ruleChanges, { minLength: 2, maxLength: 6 }), scenes, async (changes, posts) => {
        const rules = changes.map(({ segment: _segment, group, ...rest }, n) => {
          const defined = Object.fromEntries(Object.entries(rest).filter(([, each]) => each !== undefined));
          return award(`r${n}`, 2, { ...defined, ...(group === undefined ? {} : { group, pick: 'first' as const }) });
        });
        const lint = await lintRules(rules, now);
        for (const { kind } of lint) found[kind] += 1;
        const dead = new Set(
          lint.flatMap(({ kind, rule }) => (kind === 'never' || kind === 'inside' ? [rule.key] : [])),
        );
        for (const { items, ...post } of posts) {
          const lineItems = Array.from({ length: items }, () => ({ itemSKU: 'A', itemAmount: 1 }));
          const scene = { activity: activity({ ...JSON.parse(JSON.stringify(post)), date: post.date, lineItems }) };
          const { decision } = await decideWith(rules, scene);
          const fired = decision.ruleMatch.filter((match) => match.fired).map(({ key }) => key);
          expect(fired.filter((key) => dead.has(key))).toEqual([]);
          for (const { kind, rule, other } of lint) {
            if (kind !== 'same') continue;
            const failed = (key: string | undefined) => decision.ruleMatch.find((match) => match.key === key)?.reason;
            const isFailed = (reason: string | undefined) => reason === 'conditionFailed' || reason === 'notEffective';
            expect(isFailed(failed(rule.key))).toBe(isFailed(failed(other?.key)));
          }
        }
      }),
      // With the fixed seed, so many are needed to find some, at every scale.
      { seed, numRuns: seed === fixedSeed ? Math.max(80, scaled(80)) : scaled(80) },
    );
    // With the fixed seed it is certain that the property was tried.
    if (seed !== fixedSeed) return;
    expect(found.never).toBeGreaterThan(5);
    expect(found.inside).toBeGreaterThan(0);
  },
);

describe('hours are no finding when they leave a rule activities', () => {
  it.each<[string, Partial<Rule>]>([
    ['on their days', { hours: { days: ['Mon'] }, ...asks(dayIs(1)) }],
    ['on the day after, past midnight', { hours: { days: ['Sat'], from: '22:00', to: '02:00' }, ...asks(dayIs(0)) }],
    ['in the hour that they end in', { hours: { to: '22:30' }, ...asks(hourIs('equal', 22)) }],
    ['in the first hour', { hours: { from: '18:59' }, ...asks(hourIs('equal', 18)) }],
    ['past midnight', { hours: { from: '22:00', to: '02:00' }, ...asks(hourIs('equal', 1)) }],
  ])('%s', async (_, changes) => {
    expect(await findings(award('a', 5, changes))).toEqual([]);
  });
});
