import fc from 'fast-check';
import type { Condition } from '#engine/rules/language/condition';

/** The conditions of rules of one priority level, and the facts of one activity. */
export interface RandomCase {
  conditions: readonly Condition[];
  facts: Readonly<Record<string, unknown>>;
  /** Facts that cannot be read. */
  failing: readonly string[];
  /** The contents of named lists, by name. */
  lists: Readonly<Record<string, readonly string[]>>;
}

const day = (n: number) => new Date(Date.UTC(2026, 2, n));
const word = fc.constantFrom('Web', 'POS', 'Mobile', 'a', '2026-03-02', '3', '');
const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 3, arbitrary: word },
  fc.constantFrom<unknown>(null, true, false, 2.5, -1),
);
const odd = fc.constantFrom<unknown>({}, [], [[3]], { a: 1 });
/** Used only as a fact: in a literal, json-rules-engine's copy would omit the field `toString`. */
const unprintable = fc.constant({ toString: 1 });
const factScalar = fc.oneof(
  { weight: 9, arbitrary: scalar },
  fc.integer({ min: 1, max: 4 }).map(day),
  odd,
  unprintable,
);
const list = fc.array(factScalar, { maxLength: 3 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const product = fc.record(
  { sku: word, category: word, tags: list, excludeFromEarning: fc.boolean() },
  { requiredKeys: [] },
);
const lineItem = fc.record({ sku: word, quantity: scalar, tags: list, product }, { requiredKeys: [] });
const location = fc.record(
  { number: word, tags: list, ext: fc.dictionary(fc.constant('x'), factScalar) },
  { requiredKeys: [] },
);
const partner = fc.record({ code: word, status: word }, { requiredKeys: [] });
const metrics = ['spend', 'visits'] as const;
const periods = ['day', 'month'] as const;
const categories = ['POS', 'Web'] as const;
const activity = fc.record(
  {
    type: word,
    channel: word,
    value: scalar,
    date: fc.integer({ min: 1, max: 4 }).map(day),
    lineItems: fc.array(lineItem, { maxLength: 3 }),
    ext: fc.dictionary(fc.constantFrom('x', 'y z'), fc.oneof(factScalar, list), { maxKeys: 2 }),
    constructor: scalar,
  },
  { requiredKeys: ['type', 'date'] },
);
const member = fc.record(
  {
    segments: list,
    tier: fc.dictionary(fc.constantFrom('Main', 'Other'), word, { maxKeys: 2 }),
    birthDate: fc.constantFrom('2026-03-02', '1990-02-29', 'never'),
    spend: scalar,
  },
  { requiredKeys: [] },
);
const facts = fc.record({
  activity,
  member: optional(member),
  hour: optional(fc.integer({ min: 0, max: 4 })),
  now: optional(fc.integer({ min: 1, max: 4 }).map(day)),
  location: optional(location),
  partner: optional(partner),
  // Facts for rules with perLine. Other rules never refer to them.
  lineItem: optional(lineItem),
  product: optional(product),
  // The values of these facts depend on their params, see `readerOf`.
  dayOfWeek: fc.integer({ min: 0, max: 2 }),
  crossed: sumsBy(metrics.flatMap((metric) => [1, 2].map((every) => `${metric} ${every}`))),
  aggregate: sumsBy(metrics.flatMap((metric) => periods.map((period) => `${metric} ${period}`))),
  eligibleAmount: sumsBy(['all', ...categories]),
  eligibleQuantity: sumsBy(['all', ...categories]),
  table: fc.dictionary(fc.constantFrom('Web', 'POS', 'a'), fc.record({ n: scalar, w: word }, { requiredKeys: [] })),
  tender: sumsBy(['all', ...categories]),
  pointsOfActivity: sumsBy(['all', ...categories]),
  amountOfActivity: sumsBy(['all', ...categories]),
});

function sumsBy(names: readonly string[]) {
  return fc.record(Object.fromEntries(names.map((name) => [name, fc.integer({ min: -1, max: 4 })])));
}

const listName = fc.constantFrom('Big', 'Empty', 'unknown');
const lists = fc.record({ Big: fc.array(word, { maxLength: 4 }), Empty: fc.constant([]) });

/** References to facts in a condition. Two references with different params are two facts. */
const ref = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('$.type', '$.channel', '$.value', '$.date').map((path) => ({ fact: 'activity', path })),
  },
  fc
    .constantFrom(
      '$',
      '$.ext.x',
      "$.ext['y z']",
      '$.lineItems',
      '$.lineItems[0].quantity',
      '$.lineItems[*].sku',
      '$.missing',
    )
    .map((path) => ({ fact: 'activity', path })),
  fc
    .constantFrom(
      '$.lineItems[*].tags[*]',
      '$.lineItems[*].quantity',
      '$.lineItems.length',
      '$.ext[*]',
      '$.constructor',
      '$.ext.toString',
    )
    .map((path) => ({ fact: 'activity', path })),
  fc
    .constantFrom('$.segments', '$.tier.Main', '$.tier[*]', '$.birthDate', '$.spend', '$.segments[1]')
    .map((path) => ({ fact: 'member', path })),
  fc
    .tuple(
      fc.constantFrom('lineItem', 'product'),
      fc.constantFrom('$.sku', '$.quantity', '$.tags', '$.tags[*]', '$.product.category', '$.excludeFromEarning'),
    )
    .map(([fact, path]) => ({ fact, path })),
  fc
    .constantFrom(
      ['location', '$.number'],
      ['location', '$.tags'],
      ['location', '$.ext.x'],
      ['partner', '$.code'],
      ['partner', '$'],
    )
    .map(([fact = '', path = '']) => ({ fact, path })),
  fc
    .tuple(fc.constantFrom(...metrics), fc.constantFrom(...periods))
    .map(([metric, period]) => ({ fact: 'aggregate', params: { metric, period } })),
  fc
    .tuple(fc.constantFrom(...metrics), fc.constantFrom({ last: 7, unit: 'day' }, 'month'), fc.constantFrom(1, 2))
    .map(([metric, period, every]) => ({ fact: 'crossed', params: { metric, period, every } })),
  fc
    .tuple(
      fc.constantFrom('eligibleAmount', 'eligibleQuantity'),
      fc.option(fc.constantFrom(...categories), { nil: undefined }),
    )
    .map(([fact, searchStr]) =>
      searchStr === undefined
        ? { fact }
        : { fact, params: { filter: { inclusionParams: { category: { searchStr } } } } },
    ),
  fc
    .tuple(
      fc.constantFrom('$.n', '$.w', '$'),
      fc.oneof(
        word,
        fc.constantFrom('$.channel', '$.type').map((path) => ({ fact: 'activity', path })),
      ),
    )
    .map(([path, key]) => ({ fact: 'table', path, params: { name: 'any', keys: [key] } })),
  fc
    .tuple(
      fc.constantFrom('pointsOfActivity', 'amountOfActivity'),
      fc.option(fc.constantFrom(...categories), { nil: undefined }),
    )
    .map(([fact, rule]) => (rule === undefined ? { fact } : { fact, params: { rule } })),
  fc
    .option(fc.constantFrom(...categories), { nil: undefined })
    .map((type) => (type === undefined ? { fact: 'tender' } : { fact: 'tender', params: { filter: { type } } })),
  fc.constantFrom('hour', 'now', 'member', 'location', 'product').map((fact) => ({ fact })),
  fc.constantFrom('hour', 'now').map((fact) => ({ fact, path: '$.a' })),
  fc.integer({ min: 0, max: 2 }).map((plus) => ({ fact: 'dayOfWeek', params: { plus } })),
  fc.constant({ fact: 'dayOfWeek' }),
);

const decorator = fc.constantFrom('someFact', 'everyFact', 'someValue', 'everyValue', 'swap', 'not');
const base = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('equal', 'in') },
  fc.constantFrom('notEqual', 'notIn', 'contains', 'doesNotContain', 'lessThan', 'lessThanInclusive'),
  fc.constantFrom('greaterThan', 'greaterThanInclusive', 'before', 'after', 'between', 'withinDays'),
  fc.constantFrom('startsWith', 'matches', 'isEmpty', 'inNamedList'),
);
const operator = fc
  .tuple(fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(decorator, { maxLength: 3 })), base)
  .map(([decorators, name]) => [...decorators, name].join(':'));
const literals = fc.array(scalar, { maxLength: 10 });
const literal: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  in: fc.oneof({ weight: 9, arbitrary: literals }, fc.constant('Web or POS')),
  notIn: literals,
  between: fc.tuple(scalar, scalar),
  withinDays: fc.constantFrom<unknown>(0, 1, 2, 'x', { days: 1, direction: 'past' }, { days: 2, direction: 'future' }),
  matches: fc.constantFrom('^W', '[0-9]', 'b$', '(', ''),
  isEmpty: fc.boolean(),
  inNamedList: listName,
};
const priority = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 3 }));

const comparison = fc.tuple(ref, operator, priority).chain(([left, name, rank]) => {
  const plain = literal[name.split(':').at(-1) ?? ''] ?? scalar;
  const needsList = /some|every/.test(name);
  const value = fc.oneof(
    { weight: 5, arbitrary: needsList ? fc.oneof(plain, fc.array(plain, { maxLength: 3 })) : plain },
    ref,
    odd,
  );
  return value.map((right): Condition => ({ ...left, operator: name, value: right, ...ranked(rank) }));
});

const ranked = (rank: number | undefined) => (rank === undefined ? {} : { priority: rank });

/** The index uses equalities. They are common in real rules, so they are common here as well. */
const equality = fc
  .tuple(
    fc.constantFrom('$.type', '$.channel', '$.value', '$.date'),
    fc.oneof(word, fc.array(word, { maxLength: 3 })),
    priority,
  )
  .map(([path, value, rank]): Condition => {
    return { fact: 'activity', path, operator: Array.isArray(value) ? 'in' : 'equal', value, ...ranked(rank) };
  });
const listsOfTexts = [
  ['activity', '$.lineItems[*].sku'],
  ['activity', '$.lineItems[*].tags[*]'],
  ['activity', '$.lineItems[*].product.category'],
  ['activity', '$.ext.x'],
  ['member', '$.segments'],
  ['location', '$.tags'],
  ['product', '$.tags'],
] as const;
const element = fc
  .constantFrom('contains', 'someFact:equal')
  .chain((name) =>
    fc
      .tuple(fc.constantFrom(...listsOfTexts), scalar)
      .map(([[fact, path], value]): Condition => ({ fact, path, operator: name, value })),
  );

/** Comparisons with named lists, whose elements are texts: SKUs, numbers, codes. */
const inList = fc
  .tuple(
    fc.constantFrom(['activity', '$.channel'], ['location', '$.number'], ['partner', '$.code'], ['product', '$.sku']),
    fc.constantFrom('inNamedList', 'not:inNamedList'),
    listName,
  )
  .map(([[fact = '', path = ''], name, value]): Condition => ({ fact, path, operator: name, value }));

const node = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: comparison },
    { weight: 3, arbitrary: equality },
    element,
    inList,
    fc
      .tuple(fc.array(tie('node'), { maxLength: 4 }), priority)
      .map(([all, rank]): Condition => ({ all, ...ranked(rank) })),
    fc
      .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 4 }), priority)
      .map(([any, rank]): Condition => ({ any, ...ranked(rank) })),
    fc
      .tuple(fc.array(equality, { minLength: 1, maxLength: 3 }), priority)
      .map(([any, rank]): Condition => ({ any, ...ranked(rank) })),
    tie('node').map((not): Condition => ({ not })),
  ),
})).node;
const root = fc.oneof(
  { weight: 4, arbitrary: fc.array(node, { maxLength: 5 }).map((all): Condition => ({ all })) },
  fc.array(node, { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
  node.map((not): Condition => ({ not })),
);

/** Rules of one level and an activity: missing and failing facts, every operator, decorators, paths and priorities. */
export const randomCase: fc.Arbitrary<RandomCase> = fc.record({
  conditions: fc.array(root, { minLength: 1, maxLength: 8 }),
  facts,
  failing: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    fc.constantFrom(['member'], ['hour'], ['product'], ['aggregate', 'eligibleAmount']),
  ),
  lists,
});
