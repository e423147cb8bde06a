import { namedField } from '../schema/conditionQuery';
import type { FactOption } from '../schema/factOptions';

/** What a condition can be about; the first question of adding one. */
export const factGroups = ['purchase', 'line', 'member', 'place', 'time', 'other'] as const;

export type FactGroup = (typeof factGroups)[number];

const groupOfFact: Readonly<Record<string, FactGroup>> = {
  activity: 'purchase',
  tender: 'purchase',
  pointsOfActivity: 'purchase',
  amountOfActivity: 'purchase',
  eligibleAmount: 'purchase',
  eligibleQuantity: 'purchase',
  isFirstActivity: 'member',
  product: 'line',
  lineItem: 'line',
  member: 'member',
  isBirthday: 'member',
  birthMonth: 'member',
  daysSince: 'member',
  aggregate: 'member',
  crossed: 'member',
  location: 'place',
  partner: 'place',
  now: 'time',
  dayOfWeek: 'time',
  hour: 'time',
};

/** Paths of an activity that say where it happened. */
const placePaths: readonly unknown[] = ['$.srcChannelType', '$.srcChannelID', '$.locationId', '$.partnerCode'];

/** What managers ask for most, in this order; a group begins with them. */
const frequent: readonly string[] = [
  'activity $.value',
  'activity $.couponCode',
  'tender ',
  'product $.category',
  'product $.sku',
  'product $.brand',
  'product $.subcategory',
  'product $.tags',
  'lineItem $.quantity',
  'lineItem $.itemAmount',
  'isFirstActivity ',
  'isBirthday ',
  'birthMonth ',
  'aggregate ',
  'daysSince ',
  'activity $.srcChannelType',
  'location $.locationNo',
  'location $.name',
  'partner $.code',
  'hour ',
  'dayOfWeek ',
];

/** The facts of one group, the frequent ones first and the others in the order of the schema. */
export function factsOfGroup(options: readonly FactOption[], group: FactGroup): FactOption[] {
  return options
    .filter((option) => groupOf(option) === group)
    .map((option) => ({ option, rank: rankOf(option) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

/** The facts of a line stand in the lines of an activity too, where they are lists: they are offered once. */
function groupOf({ name }: FactOption): FactGroup | undefined {
  const named = namedField(name);
  if (!('fact' in named)) return undefined;
  if (named.fact === 'activity' && placePaths.includes(named.path)) return 'place';
  if (named.fact === 'activity' && named.path?.startsWith('$.lineItems')) return 'other';
  return groupOfFact[named.fact] ?? 'other';
}

function rankOf({ name }: FactOption): number {
  const named = namedField(name);
  const place = 'fact' in named ? frequent.indexOf(`${named.fact} ${named.path ?? ''}`) : -1;
  return place < 0 ? frequent.length : place;
}
