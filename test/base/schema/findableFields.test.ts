import type { TSchema } from '@sinclair/typebox';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

/** Texts of unique indexes that have a form of their own. Most are never sent by clients. */
const ownForm: Readonly<Record<string, string>> = {
  'programs.code': 'its pattern has ASCII letters, digits, _ and - only',
  'orgs.code': 'as programs.code',
  'extdefs.field': 'as programs.code',
  'rules.key': 'as programs.code; from rule files',
  'signincodes.codeHash': 'made by the service',
  'knownlogins.networkHash': 'made by the service',
  'lookuptables.hash': 'made by the service',
  'offers.codeKey': 'made of code',
  'rewards.codeKey': 'made of code',
  'users.usernameKey': 'made of username',
  'submissions.key': 'an externalTxnId, which has the policy, or a key of the service',
};

/** Names of fields by which something is found, wherever a body has them. */
const finding = [
  'loyaltyID',
  'externalTxnId',
  'externalId',
  'couponCode',
  'chosenReward',
  'partnerCode',
  'srcChannelID',
  'itemSKU',

  'referralCode',
  'sku',
  'username',
  'srcChannelType',
  'itemUOM',
  'stackGroup',
  'stackGroups',
  'enumType',
  'metric',
];

function at(schema: TSchema | undefined, path: string): TSchema | undefined {
  let found = schema;
  for (const name of path.split('.')) found = (found?.items ?? found)?.properties?.[name];
  return found?.items ?? found;
}

const uniqueTexts = resources.flatMap(({ path, shape, indexes }) =>
  indexes
    .filter(({ unique }) => unique)
    .flatMap(({ keys }) => Object.keys(keys))
    .map((field) => ({ name: `${path}.${field}`, schema: at(shape, field) }))
    .filter(({ schema }) => schema?.type === 'string' && !schema['x-objectId'] && !schema['x-date'] && !schema.enum),
);

test('every text of a unique index follows the policy or has a form of its own', () => {
  const without = uniqueTexts.filter(
    ({ name, schema }) => !schema?.['x-findable'] && !(name in ownForm) && !isOfAggregates(name),
  );
  expect(without.map(({ name }) => name)).toEqual([]);
  expect(uniqueTexts.filter(({ schema }) => schema?.['x-findable']).length).toBeGreaterThan(12);
});

/** Aggregates are made by the service, of metrics that rules name. */
function isOfAggregates(name: string): boolean {
  return /^[a-z]+aggregates\.metricName$/.test(name);
}

interface Part {
  place: string;
  name: string;
  schema: TSchema;
}

function partsOf(schema: TSchema | undefined, place: string): Part[] {
  if (!schema || typeof schema !== 'object') return [];
  const fields = Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, field]) => [
    { place: `${place}.${name}`, name, schema: field },
    ...partsOf(field, `${place}.${name}`),
  ]);
  return [
    ...fields,
    ...partsOf(schema.items, place),
    ...[schema.anyOf ?? []].flat().flatMap((each) => partsOf(each, place)),
  ];
}

test('every field of a body by which something is found follows the policy', () => {
  const parts = allRoutes.flatMap(({ method, path, body }) => partsOf(body, `${method} ${path}`));
  const isText = ({ schema }: Part) => (schema.items ?? schema).type === 'string';
  const requests = parts.filter((part) => finding.includes(part.name) && isText(part));
  expect(requests.length).toBeGreaterThan(40);
  const without = requests.filter(({ schema }) => !(schema.items ?? schema)['x-findable']);
  // A login finds users of earlier versions too, whatever their names have.
  expect(without.map(({ place }) => place)).toEqual(['POST /login.username']);
});
