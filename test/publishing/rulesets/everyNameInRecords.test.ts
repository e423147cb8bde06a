import { commonFields } from '#base/schema/resource';
import { textNames } from '#programs/catalog/names/textNames';
import { resources } from '#server/services/resources';
import { textLeaves } from './textLeaves';

/**
 * Everything that a client writes which may hold a text. A new one fails here until somebody says what it
 * names: then renaming and deleting must ask for it (`textNames`, `ruleUses`, the `uses` of a collection), or why nothing
 * has to.
 */
const written = resources.filter(({ access }) => ['managed', 'catalog', 'customer', 'user'].includes(access ?? ''));

const own = 'is the name of the record itself';
const words = 'is read by people';
const value = 'is a value, of which no record exists';
const group = 'is shared by those that have it; it names no record';

/**
 * What stored queries name: by texts, by ids, and the ext defs of the fields that they ask for. `namesInQuery` has the
 * same list. It is written again here on purpose, because this test is the oracle of it.
 */
const inQueries = [
  'Program',
  'PursePolicy',
  'TierPolicy',
  'Segment',
  'NamedList',
  'Product',
  'Location',
  'Partner',
  'Offer',
  'Reward',
  'ExtDef',
];

/** The models that a leaf of a resource names, or why it names nothing that could go. */
const leavesOfResources: Readonly<Record<string, readonly string[] | string>> = {
  'Program code': own,
  'PursePolicy name': own,
  'PursePolicy unit.one': words,
  'PursePolicy unit.other': words,
  'TierPolicy name': own,
  'TierPolicy levels[].name': own,
  'TierPolicy levels[].lifetime.metric': ['PursePolicy'],
  'TierPolicy basis.metric': ['PursePolicy'],
  'Location number': own,
  'Location address': value,
  'Location tags[]': value,
  'Product sku': own,
  'Product category': value,
  'Product subcategory': value,
  'Product brand': value,
  'Product tags[]': value,
  'Partner code': own,
  'NamedList name': own,
  'NamedList model': 'is the name of a resource of the service',
  'NamedList query': inQueries,
  'Enum type': own,
  'Enum value': own,
  'Enum label': words,
  'Segment name': own,
  'Segment query': inQueries,
  'ExtSchema model': 'is the name of a resource of the service',
  'ExtSchema name': own,
  'ExtDef field': own,
  'ExtDef enumType': 'is a type, of which values may come and go; stored values are asked for by usesOfEnum',
  'ExtDef pattern': value,
  'User username': own,
  'User password': value,
  'ApiKey name': own,
  'ApiKey permissions[]': 'is a word of the service',
  'Member loyaltyID': own,
  'Member phone': value,
  'Member email': value,
  'Member firstName': value,
  'Member lastName': value,
  'Member birthDate': value,
  'Member address': value,
  'Member locale': value,
  'Member enrollChannel': value,
  'Webhook url': value,
  'Webhook description': words,
  'ImportMapping name': own,
  'ImportMapping columns[].column': 'is a column of a file',
  'ImportMapping columns[].field': ['PursePolicy', 'TierPolicy', 'ExtDef'],
  'ImportMapping constants[].field': ['PursePolicy', 'TierPolicy', 'ExtDef'],
  'ImportMapping constants[].value': [
    'Program',
    'PursePolicy',
    'TierPolicy',
    'Segment',
    'Enum',
    'Location',
    'Partner',
    'Offer',
    'Reward',
  ],
  'ImportMapping dateFormat': value,
  'Reward cost.purse': 'is in the uses of the collection of purse policies',
  ...Object.fromEntries(
    ['Offer', 'Reward'].flatMap((model) => [
      [`${model} code`, own],
      [`${model} stackGroup`, group],
      [`${model} excludes.stackGroups[]`, group],
      ...(['Product', 'Location'] as const).flatMap((selected) => {
        const params = `${model} ${selected.toLowerCase()}Filter.inclusionParams.*`;
        return [
          [`${params}.type`, 'is a word of the service'],
          [`${params}.searchStr`, [selected, 'ExtDef']],
          [`${params}.ids[]`, [selected]],
        ];
      }),
    ]),
  ),
};

/** Names and free fields that every resource has alike. */
const alike: Readonly<Record<string, string>> = {
  name: words,
  ext: 'has values that ext defs describe; an Enum whose value is stored stays (usesOfEnum); ext defs may change',
};

/** What the service writes itself says what was so when it was written: a rename later leaves it as it is. */
const recorded = ['ledger', 'operation', undefined];

test('every resource is either written by clients or a record of the past', () => {
  const others = resources.filter((each) => !written.includes(each));
  expect(others.filter(({ access, isDefinition }) => isDefinition || !recorded.includes(access))).toEqual([]);
  const namers = textNames.map((entry) => entry.in.name);
  expect(namers.filter((name) => others.some((each) => each.name === name))).toEqual([]);
});

const leaves = written
  .filter(({ name }) => name !== 'AuditEntry')
  .flatMap(({ name, createBody }) =>
    textLeaves(createBody.properties)
      .filter((leaf) => !Object.hasOwn(commonFields, leaf))
      .map((leaf) => ({ resource: name, leaf })),
  );

test.each(leaves)('a record that $leaf of $resource names is known', ({ resource, leaf }) => {
  const actual = leavesOfResources[`${resource} ${leaf}`] ?? alike[leaf];
  expect(actual).toBeDefined();
  const listed = textNames.filter((entry) => entry.in.name === resource).flatMap(({ models }) => models);
  if (Array.isArray(actual)) expect(listed).toEqual(expect.arrayContaining([...actual]));
});

test('the table and the list name only existing leaves and models', () => {
  const known = leaves.map(({ resource, leaf }) => `${resource} ${leaf}`);
  expect(Object.keys(leavesOfResources).filter((each) => !known.includes(each))).toEqual([]);
  const reported = (resource: string) =>
    Object.entries(leavesOfResources).flatMap(([leaf, models]) =>
      leaf.startsWith(`${resource} `) && Array.isArray(models) ? models : [],
    );
  for (const { in: namer, models } of textNames)
    expect(reported(namer.name)).toEqual(expect.arrayContaining([...models]));
});
