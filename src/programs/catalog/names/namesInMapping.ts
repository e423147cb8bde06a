import { comparable } from '#base/schema/findable';
import type { NamedByText } from '#base/schema/namedByText';
import type { ImportMapping } from '#records/imports/importMapping';

type Named = Omit<NamedByText, 'at'>;
type Kind = ImportMapping['kind'];

/** The definitions that kept mappings can name. */
export const modelsInMappings = [
  'Program',
  'PursePolicy',
  'TierPolicy',
  'Segment',
  'Enum',
  'Location',
  'Partner',
  'Offer',
  'Reward',
  'ExtDef',
] as const;

/** The models that define the extension fields of rows. */
const modelOf: Readonly<Record<Kind, string>> = {
  members: 'Member',
  accrualitems: 'AccrualItem',
  activities: 'ActivityHistory',
  products: 'Product',
  locations: 'Location',
  coupons: 'IssuedReward',
};

const isId = /^[0-9a-f]{24}$/i;

const byNameOrId =
  (model: string, by: string) =>
  (value: string): Named[] => [{ model, fields: isId.test(value) ? { _id: value.toLowerCase() } : { [by]: value } }];
const enumOf =
  (type: string) =>
  (value: string): Named[] => [{ model: 'Enum', fields: { type, value } }];

/** What the value of a constant names, by kind and field. */
const constantsOf: Readonly<Partial<Record<Kind, Readonly<Record<string, (value: string) => Named[]>>>>> = {
  members: {
    program: byNameOrId('Program', 'code'),
    segments: (value) => (value.match(/[0-9a-f]{24}/gi) ?? []).flatMap(byNameOrId('Segment', 'name')),
  },
  accrualitems: { purse: byNameOrId('PursePolicy', 'name') },
  coupons: { reward: byNameOrId('Reward', 'code') },
  activities: {
    type: enumOf('ActivityType'),
    srcChannelType: enumOf('ChannelType'),
    srcChannelID: (number) => [{ model: 'Location', fields: { number } }],
    locationId: byNameOrId('Location', '_id'),
    program: byNameOrId('Program', '_id'),
    partnerCode: (code) => [{ model: 'Partner', fields: { code } }],
    chosenReward: (code) => [{ model: 'Reward', fields: { code } }],
    couponCode: (code) => ['Offer', 'Reward'].map((model) => ({ model, fields: { code } })),
  },
};

/** The definitions that a kept mapping names: in the fields of its columns and constants, and in the values of these. */
export function namesInMapping({ kind, columns = [], constants = [] }: Mapped): NamedByText[] {
  return [
    ...columns.flatMap(({ field }, n) => at(`columns.${n}.field`, inField(kind, comparable(field)))),
    ...constants.flatMap(({ field, value }, n) => [
      ...at(`constants.${n}.field`, inField(kind, comparable(field))),
      ...at(`constants.${n}.value`, inConstant(kind, comparable(field), comparable(value.trim()))),
    ]),
  ];
}

type Mapped = Pick<ImportMapping, 'kind' | 'columns' | 'constants'>;

function at(place: string, names: Named[]): NamedByText[] {
  return names.map((named) => ({ ...named, at: place }));
}

function inField(kind: Kind, field: string): Named[] {
  if (field.startsWith('ext.')) return [{ model: 'ExtDef', fields: { of: modelOf[kind], field: field.slice(4) } }];
  if (kind !== 'members' || !field.includes(':')) return [];
  const [prefix, name] = [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)];
  if (prefix === 'balance') return [{ model: 'PursePolicy', fields: { name } }];
  return prefix === 'tier' || prefix === 'tierUntil' ? [{ model: 'TierPolicy', fields: { name } }] : [];
}

function inConstant(kind: Kind, field: string, value: string): Named[] {
  if (kind === 'members' && field.startsWith('tier:')) {
    return [{ model: 'TierPolicy', fields: { name: field.slice('tier:'.length), 'levels.name': value } }];
  }
  const known = constantsOf[kind] ?? {};
  return (Object.hasOwn(known, field) ? known[field] : undefined)?.(value) ?? [];
}
