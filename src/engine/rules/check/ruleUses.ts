import { readFilter } from '#engine/filters/filterCriteria';
import { filterFields } from '#engine/filters/filterFields';
import { purseOfMetric } from '#records/aggregates/metricNames';
import type { ActionName } from '../actions/action';
import { findActionDefinition, type RuleAction } from '../actions/list';
import { filterOfParams } from '../evaluate/eligible';
import { actionReads, conditionReads } from '../evaluate/ruleSet';
import { listOfFilter } from '../format/filterParams';
import type { Rule } from '../format/rule';
import { type Comparison, listComparisons, listNames } from '../language/condition';
import { daysSinceOccasion } from '../language/daysSinceParams';
import { readAggregateParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { tierOfPeriod } from '../language/metricPeriod';
import { parsePath } from '../language/path';
import { extOfAction, extOfCriterion, extOfRef } from './extUses';

/** A definition that a rule names, with the values that the rule needs. Without them, the rule cannot be published. */
export interface RuleUse {
  /** Name of the resource, such as PursePolicy. */
  model: string;
  /** The values that the definition must have, by dotted path. Ids are hexadecimal. A list must contain the value. */
  fields: Readonly<Record<string, string>>;
  /** Program code and key, such as `demo/base-earn`. */
  rule: string;
}

/** The fields of each model that rules rely on. A change of any other field never affects a rule. */
export const namedFields: Readonly<Record<string, readonly string[]>> = {
  Program: [],
  PursePolicy: ['name', 'expiry'],
  TierPolicy: ['name', 'levels'],
  Segment: ['name', 'kind'],
  NamedList: ['name'],
  Enum: ['type', 'value'],
  Offer: ['code'],
  Reward: ['code'],
  Location: ['number'],
  Product: ['sku'],
  Partner: ['code'],
  ExtDef: ['field', 'type'],
};

type Named = Omit<RuleUse, 'rule'>;

/** Every definition that a rule names. The rule's status does not matter: publication checks paused rules as well. */
export function ruleUses(rule: Rule): RuleUse[] {
  const program = rule.programId.toHexString();
  const refs = [...conditionReads(rule.conditions), ...rule.actions.flatMap(actionReads)];
  const named: Named[] = [
    { model: 'Program', fields: { _id: program } },
    ...rule.activityTypes.map((value) => ({ model: 'Enum', fields: { type: 'ActivityType', value } })),
    ...(rule.segments ?? []).map(segment),
    ...(rule.schedule?.segment === undefined ? [] : [segment(rule.schedule.segment)]),
    ...(rule.tiers ?? []).map((level) => ({ model: 'TierPolicy', fields: { program, 'levels.name': level } })),
    ...rule.actions.flatMap((action) => ofAction(action, program)),
    ...refs.flatMap((ref) => [...ofRef(ref, program), ...extOfRef(ref)]),
    ...listComparisons(rule.conditions).flatMap((comparison) => ofComparison(comparison, program)),
  ];
  return named.map((each) => ({ ...each, rule: `${rule.programCode}/${rule.key}` }));
}

const segment = (name: string): Named => ({ model: 'Segment', fields: { name } });
const purse = (name: string, program: string): Named => ({ model: 'PursePolicy', fields: { program, name } });

/** The definitions that an action names, by kind of name. */
const namedBy: Readonly<Record<ActionName['kind'], (name: ActionName, program: string) => Named[]>> = {
  purse: ({ name }, program) => [purse(name, program)],
  inactivityPurse: ({ name }, program) => [
    { model: 'PursePolicy', fields: { program, name, 'expiry.type': 'inactivity' } },
  ],
  tierPolicy: ({ name }, program) => tier(name, [], program),
  tierLevel: ({ name, policy = '' }, program) => tier(policy, [name], program),
  // A rule cannot add members to a segment with a query.
  staticSegment: ({ name }) => [{ model: 'Segment', fields: { name, kind: 'static' } }],
  reward: ({ name }, program) => [{ model: 'Reward', fields: { program, code: name } }],
  offer: ({ name }, program) => [{ model: 'Offer', fields: { program, code: name } }],
  metric: ({ name }, program) => ofMetric(name, program),
};

function ofAction(action: RuleAction, program: string): Named[] {
  const names = findActionDefinition(action.type)?.names?.(action) ?? [];
  return [...names.flatMap((name) => namedBy[name.kind](name, program)), ...extOfAction(action)];
}

function tier(name: string, levels: readonly string[], program: string): Named[] {
  const model = 'TierPolicy';
  return [
    { model, fields: { program, name } },
    ...levels.map((level) => ({ model, fields: { program, name, 'levels.name': level } })),
  ];
}

/** The definitions that a reference to a fact names in its path or params. */
function ofRef({ fact, path, params }: FactRef, program: string): Named[] {
  if (fact === 'member' && path !== undefined) return ofMember(path, [], program);
  if (fact === 'aggregate' || fact === 'crossed') return ofSum(params, program);
  if (fact === 'pointsOfActivity' && typeof params?.purse === 'string') return [purse(params.purse, program)];
  const of = fact === 'daysSince' ? daysSinceOccasion(params) : undefined;
  if (typeof of === 'object') return 'tier' in of ? tier(of.tier, [], program) : [segment(of.segment)];
  const list = listOfFilter(params);
  return [...(list === undefined ? [] : [{ model: 'NamedList', fields: { _id: list } }]), ...productUses(params)];
}

/** The purse of a metric of points of one purse. Other metrics name no record. */
function ofMetric(metric: string, program: string): Named[] {
  const name = purseOfMetric(metric);
  return name === undefined ? [] : [purse(name, program)];
}

/** The purse of a metric such as `pointsEarned:Points`, and the tier policy of a member's own year. */
function ofSum(params: FactRef['params'], program: string): Named[] {
  const { metric = '', period } = readAggregateParams(params) ?? {};
  const policy = tierOfPeriod(period);
  return [...ofMetric(metric, program), ...(policy === undefined ? [] : tier(policy, [], program))];
}

/** The parts of the fact `member` that are by tier policy. */
const tierParts = ['tier', 'tierNumber', 'tierSince', 'tierUntil', 'tierMissing'];

function ofMember(path: string, levels: readonly string[], program: string): Named[] {
  const [part, child] = parsePath(path).map((step) => (step.all ? '*' : step.name));
  if (child === undefined || child === '*') return [];
  if (part === 'purse') return [purse(child, program)];
  if (part === 'segmentSince') return [segment(child)];
  return part !== undefined && tierParts.includes(part) ? tier(child, levels, program) : [];
}

/** The products that a filter in the params names by SKU or id, and the extension fields of products. */
function productUses(params: FactRef['params']): Named[] {
  const filter = filterOfParams(params);
  if (!filter) return [];
  const { criteria = [] } = readFilter(filter, filterFields.Product).criteria ?? {};
  return criteria.flatMap(({ path, values }): Named[] =>
    path === 'sku' || path === '_id'
      ? values.map((value) => ({ model: 'Product', fields: { [path]: String(value) } }))
      : extOfCriterion('Product', path),
  );
}

const coupon = ['Offer', 'Reward'].map(
  (model) =>
    (code: string): Named => ({ model, fields: { code } }),
);
const couponId = ['Offer', 'Reward'].map(
  (model) =>
    (_id: string): Named => ({ model, fields: { _id } }),
);
const level = (name: string, program: string): Named => ({
  model: 'TierPolicy',
  fields: { program, 'levels.name': name },
});

/**
 * The parts of facts whose value is the name, code or id of a definition. A channel type or unit may be built in; then
 * no definition has the value.
 */
const namingParts: Readonly<Record<string, readonly ((value: string, program: string) => Named)[]>> = {
  'member $.segments': [segment],
  'location $.number': [(number) => ({ model: 'Location', fields: { number } })],
  'location $._id': [(_id) => ({ model: 'Location', fields: { _id } })],
  'activity $.srcChannelID': [(number) => ({ model: 'Location', fields: { number } })],
  'activity $.locationId': [(_id) => ({ model: 'Location', fields: { _id } })],
  'partner $.code': [(code) => ({ model: 'Partner', fields: { code } })],
  'partner $._id': [(_id) => ({ model: 'Partner', fields: { _id } })],
  'activity $.partnerCode': [(code) => ({ model: 'Partner', fields: { code } })],
  'activity $.couponCode': coupon,
  'activity $.chosenReward': [(code) => ({ model: 'Reward', fields: { code } })],
  'activity $.lineItems.couponCode': coupon,
  'activity $.lineItems.offerId': couponId,
  'activity $.lineItems.productId': [(_id) => ({ model: 'Product', fields: { _id } })],
  'activity $.lineItems.product.sku': [(sku) => ({ model: 'Product', fields: { sku } })],
  'activity $.lineItems.product._id': [(_id) => ({ model: 'Product', fields: { _id } })],
  'activity $.occasion.policy': [(name, program) => ({ model: 'TierPolicy', fields: { program, name } })],
  'activity $.occasion.level': [level],
  'activity $.occasion.from': [level],
  'activity $.occasion.purse': [purse],
  'activity $.occasion.reward': [(code, program) => ({ model: 'Reward', fields: { program, code } })],
  'lineItem $.couponCode': coupon,
  'lineItem $.offerId': couponId,
  'lineItem $.product.sku': [(sku) => ({ model: 'Product', fields: { sku } })],
  'lineItem $.product._id': [(_id) => ({ model: 'Product', fields: { _id } })],
  'activity $.type': [(value) => ({ model: 'Enum', fields: { type: 'ActivityType', value } })],
  'activity $.srcChannelType': [(value) => ({ model: 'Enum', fields: { type: 'ChannelType', value } })],
  'activity $.lineItems.itemUOM': [(value) => ({ model: 'Enum', fields: { type: 'SalesUOM', value } })],
  'lineItem $.itemUOM': [(value) => ({ model: 'Enum', fields: { type: 'SalesUOM', value } })],
  'activity $.lineItems.itemSKU': [(sku) => ({ model: 'Product', fields: { sku } })],
  'lineItem $.itemSKU': [(sku) => ({ model: 'Product', fields: { sku } })],
  'product $.sku': [(sku) => ({ model: 'Product', fields: { sku } })],
  'product $._id': [(_id) => ({ model: 'Product', fields: { _id } })],
  'lineItem $.productId': [(_id) => ({ model: 'Product', fields: { _id } })],
};

/** The definitions that a comparison names in its value. */
function ofComparison({ fact, path, operator, value }: Comparison, program: string): Named[] {
  const values = listNames(value);
  if (operator.endsWith('inNamedList')) return values.map((name) => ({ model: 'NamedList', fields: { name } }));
  if (path === undefined) return [];
  if (fact === 'member' && /^\$(?:\.tier\b|\['tier'\])/.test(path)) return ofMember(path, values, program);
  // A step that selects all elements of a list, or one by its index, does not change which definition is named.
  const parts = parsePath(path).flatMap((step) => (step.all || /^\d+$/.test(step.name) ? [] : [step.name]));
  const key = `${fact} $.${parts.join('.')}`;
  const naming = Object.hasOwn(namingParts, key) ? namingParts[key] : undefined;
  return (naming ?? []).flatMap((name) => values.map((value) => name(value, program)));
}
