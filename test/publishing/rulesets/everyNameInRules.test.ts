import { actionDefinitions } from '#engine/rules/actions/list';
import { ruleUses } from '#engine/rules/check/ruleUses';
import { noNames } from '#engine/rules/format/factDefinition';
import { factDefinitions } from '#engine/rules/format/facts';
import type { Rule } from '#engine/rules/format/rule';
import { ruleShape } from '#engine/rules/format/rule';
import { rule } from '../../engine/rules/builders';
import { textLeaves } from './textLeaves';

/** Everything in a rule that may hold a text, as `everyNameInRecords.test.ts` has it of records. */
const own = 'is the name of the rule itself';
const words = 'is read by people';
const value = 'is a value, of which no record exists';
const group = 'is shared by those that have it; it names no record';

/** What a computed amount, a message or a column reads are facts, which have their own table. */
const readsFacts = /\.(?:of|times|share)(?:\.|$)|^with\./;
const computed = (text: string) => readsFacts.test(text);

/** Rules that name NAME in each place of a rule that names something; or why the place names no record. */
const leavesOfRules: Readonly<Record<string, Partial<Rule> | string>> = {
  key: own,
  name: words,
  description: words,
  'activityTypes[]': { activityTypes: ['NAME'] },
  'schedule.on': value,
  'schedule.at': value,
  'schedule.segment': { schedule: { every: 'day', segment: 'NAME' } },
  'hours.from': value,
  'hours.to': value,
  'segments[]': { segments: ['NAME'] },
  'tiers[]': { tiers: ['NAME'] },
  group,
  conditions: 'reads facts',
  'limits[].period.from': value,
  'limits[].period.to': value,
  'limits[].limitGroup': group,
  'table.columns.*.set': 'makes a rule of each row, whose names count',
  'table.columns.*.fact': 'makes a rule of each row, whose names count',
  'table.columns.*.path': 'makes a rule of each row, whose names count',
  'table.columns.*.params': 'makes a rule of each row, whose names count',
  'table.columns.*.operator': 'makes a rule of each row, whose names count',
  'table.rows[].*': 'makes a rule of each row, whose names count',
  'table.csv': 'is a file beside the rule',
};

const acting = (action: object) => ({ actions: [{ points: 1, ...action }] as unknown as Rule['actions'] });

const leavesOfActions: Readonly<Record<string, Partial<Rule> | string>> = {
  'addPoints purse': acting({ type: 'addPoints', purse: 'NAME' }),
  'redeemPoints purse': acting({ type: 'redeemPoints', purse: 'NAME' }),
  'setTier policy': acting({ type: 'setTier', policy: 'NAME', level: 'x' }),
  'setTier level': acting({ type: 'setTier', policy: 'x', level: 'NAME' }),
  'setTier until': value,
  'setTier keep.metric': acting({
    type: 'setTier',
    policy: 'x',
    level: 'x',
    keep: { metric: 'pointsEarned:NAME', atLeast: 1 },
  }),
  'transferPoints purse': acting({ type: 'transferPoints', purse: 'NAME' }),
  'transferPoints toPurse': acting({ type: 'transferPoints', purse: 'x', toPurse: 'NAME' }),
  'transferPoints toMember.loyaltyID': 'is a member, found when the rule fires',
  'transferPoints toMember.loyaltyID.fact': 'reads facts',
  'transferPoints toMember.loyaltyID.path': 'reads facts',
  'transferPoints toMember.loyaltyID.params': 'reads facts',
  'addMetric metric': acting({ type: 'addMetric', metric: 'pointsEarned:NAME', value: 1 }),
  'addSegment segment': acting({ type: 'addSegment', segment: 'NAME' }),
  'removeSegment segment': acting({ type: 'removeSegment', segment: 'NAME' }),
  'issueReward reward': acting({ type: 'issueReward', reward: 'NAME' }),
  'issueChoice rewards[]': acting({ type: 'issueChoice', rewards: ['NAME'] }),
  'issueChoice default': acting({ type: 'issueChoice', rewards: ['x'], default: 'NAME' }),
  'applyOffer offer': acting({ type: 'applyOffer', offer: 'NAME' }),
  'completeReferral purse': acting({ type: 'completeReferral', purse: 'NAME' }),
  'setData values': value,
  'setData texts.*.*': words,
  'setData texts.*': words,
  'setExt values': acting({ type: 'setExt', on: 'member', values: { NAME: 1 } }),
  'reject message.*': words,
  'reject message': words,
  'log message.*': words,
  'log message': words,
};

const comparing = (fact: string, path: string) => ({
  conditions: { all: [{ fact, path, operator: 'equal', value: 'NAME' }] },
});
const reading = (fact: string, params: Record<string, unknown>) => ({
  conditions: { all: [{ fact, params, operator: 'equal', value: 1 }] },
});

/** Parts of facts whose value names a record. */
const namingParts = [
  'activity type',
  'activity srcChannelType',
  'activity srcChannelID',
  'activity couponCode',
  'activity chosenReward',
  'activity partnerCode',
  'activity occasion.policy',
  'activity occasion.level',
  'activity occasion.from',
  'activity occasion.purse',
  'activity occasion.reward',
  ...['activity lineItems[].', 'lineItem '].flatMap((line) =>
    ['itemSKU', 'itemUOM', 'couponCode', 'offerId', 'productId', 'product._id', 'product.sku'].map((n) => line + n),
  ),
  'location _id',
  'location number',
  'partner _id',
  'partner code',
  'product _id',
  'product sku',
  'member segments[]',
];

/** Parts of facts by the names of purses, tier policies and segments. */
const partsByName = ['purse', 'tier', 'tierNumber', 'tierSince', 'tierUntil', 'tierMissing', 'segmentSince'];

/** Parts of facts that have extension fields: ext defs are named by the path. */
const isExt = (at: string) => /(?:^|\.)ext$/.test(at);

/** Parts of facts whose value names no record that a rule could lose. */
const plainParts: readonly [RegExp, string][] = [
  [/^program /, "is the rule's own program, which stays while it has rules"],
  [/^member program$/, "is the rule's own program, which stays while it has rules"],
  [/^member (?:_id|referredBy|familyHead|loyaltyIDs?(?:\[\])?|referralCode)$/, 'is a member, who is no definition'],
  [/^member (?:firstName|lastName|email|phone|address|locale|enrollChannel)$/, value],
  [/^activity (?:loyaltyID|referralCode)$/, 'is a member, who is no definition'],
  [/^activity (?:externalTxnId|tenderItems\[\]\.\w+)$/, value],
  [/^activity occasion\.(?:why|on|schedule)$/, 'is a word of the service'],
  [/^activity occasion\.code$/, 'is a code issued to one member'],
  [/ (?:lineItems\[\]\.)?(?:_id|type)$/, value],
  [/(?:^| |\.)(?:name|category|subcategory|brand|address|tags\[\])$/, value],
  [/^table $/, 'is a row of a lookup table: its cells are values, compared when the rule fires'],
];

const filters = { 'filter.inclusionParams.*.searchStr': { sku: { searchStr: 'NAME' } } };

const leavesOfParams: Readonly<Record<string, Partial<Rule> | string>> = {
  'daysSince of.tier': reading('daysSince', { of: { tier: 'NAME' } }),
  'daysSince of.segment': reading('daysSince', { of: { segment: 'NAME' } }),
  ...Object.fromEntries(
    ['eligibleAmount', 'eligibleQuantity'].flatMap((fact): [string, Partial<Rule> | string][] => [
      [`${fact} filter.inclusionParams.*.type`, 'is a word of the service'],
      [
        `${fact} filter.inclusionParams.*.searchStr`,
        reading(fact, { filter: { inclusionParams: filters['filter.inclusionParams.*.searchStr'] } }),
      ],
      [`${fact} filter.inclusionParams.*.ids[]`, 'is an id, by which a filter names a product as by its sku'],
    ]),
  ),
  ...Object.fromEntries(
    ['aggregate', 'crossed'].flatMap((fact): [string, Partial<Rule> | string][] => [
      [`${fact} metric`, reading(fact, { metric: 'pointsEarned:NAME', period: 'day' })],
      [`${fact} period.year.tier`, reading(fact, { metric: 'spend', period: { year: { tier: 'NAME' } } })],
      [`${fact} period.from`, value],
      [`${fact} period.to`, value],
    ]),
  ),
  'table name': "is a lookup table of the rule's own folder, published with it",
  'table keys[]': 'reads facts',
  'pointsOfActivity rule': 'is a rule, which is checked when rules are published',
  'pointsOfActivity purse': reading('pointsOfActivity', { purse: 'NAME' }),
  ...Object.fromEntries(
    ['type', 'subType', 'itemNo', 'lineNo', '_id'].flatMap((name) =>
      ['', '[]'].map((many): [string, string] => [`tender filter.${name}${many}`, value]),
    ),
  ),
  'amountOfActivity rule': 'is a rule, which is checked when rules are published',
};

const facts = Object.entries(factDefinitions(noNames));
const partsOfFacts = facts.flatMap(([fact, { shape }]) =>
  textLeaves({ '': shape }).map((at) => `${fact} ${at.slice(1)}`),
);
const paramsOfFacts = facts.flatMap(([fact, { params }]) =>
  params ? textLeaves(params.shape.properties).map((at) => `${fact} ${at}`) : [],
);
const { actions: _actions, tests: _tests, $schema: _schema, ...fieldsOfRules } = ruleShape.properties;
const partsOfActions = Object.entries(actionDefinitions).flatMap(([type, { params }]) =>
  textLeaves(params.properties).flatMap((at) => (computed(at) ? [] : [`${type} ${at}`])),
);

function namesIn(changes: Partial<Rule>): string[] {
  return ruleUses(rule(changes)).flatMap(({ fields }) => Object.values(fields));
}

test.each([
  ...textLeaves(fieldsOfRules).map((at) => ['rule', at, leavesOfRules[at]] as const),
  ...partsOfActions.map((at) => ['action', at, leavesOfActions[at]] as const),
  ...paramsOfFacts.map((at) => ['params', at, leavesOfParams[at]] as const),
])('a record that a rule names is known and kept: %s %s', (_kind, _at, actual) => {
  expect(actual).toBeDefined();
  expect(typeof actual === 'object' ? namesIn(actual) : ['NAME']).toContain('NAME');
});

test.each(partsOfFacts)('a value that a rule compares is known and kept: %s', (part) => {
  const [fact = '', at = ''] = part.split(' ');
  const isByName = isExt(at) || (fact === 'member' && partsByName.includes(at));
  const path = `$.${at.replaceAll('[]', '[*]')}${isByName ? '.NAME' : ''}`;
  const isNaming = isByName || namingParts.includes(part);
  if (!isNaming) expect(plainParts.filter(([pattern]) => pattern.test(part))).not.toEqual([]);
  expect(
    isNaming ? namesIn(comparing(fact, isByName ? path : path.replace('segments[*]', 'segments'))) : ['NAME'],
  ).toContain('NAME');
});
