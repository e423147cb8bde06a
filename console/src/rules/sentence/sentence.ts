import type { RuleFields } from '../draft/parsedRule';
import type { Change } from '../draft/ruleText';
import { isObject } from '../schema/fieldShape';

/** What a part of the sentence is about. `conditions` are all of them, when they are not a plain list of which all must hold. */
export type ChipKind =
  | 'whom'
  | 'action'
  | 'product'
  | 'hours'
  | 'effective'
  | 'occasion'
  | 'condition'
  | 'conditions'
  | 'limit'
  | 'budget';

/** A part of a rule that the sentence says. */
export interface Chip {
  kind: ChipKind;
  /** Where it stands in the rule; of `whom`, which is several fields, the rule itself. */
  path: (string | number)[];
  value: unknown;
}

/** Facts of one line item. A rule that asks for them looks at each line. */
const lineFacts: readonly unknown[] = ['product', 'lineItem'];

const wholeValue = { fact: 'activity', path: '$.value' };
const lineValue = { fact: 'lineItem', path: '$.itemAmount' };

/** The parts of a rule in the order in which the sentence says them. */
export function sentenceOf(rule: RuleFields): Chip[] {
  const conditions = conditionChips(rule.conditions);
  const field = (kind: ChipKind, name: string): Chip[] =>
    rule[name] === undefined ? [] : [{ kind, path: [name], value: rule[name] }];
  return [
    { kind: 'whom', path: [], value: { tiers: rule.tiers, segments: rule.segments } },
    ...items(rule.actions).map((value, index) => ({ kind: 'action' as const, path: ['actions', index], value })),
    ...conditions.filter(({ kind }) => kind === 'product'),
    ...field('hours', 'hours'),
    ...field('effective', 'effective'),
    ...(isForPurchases(rule)
      ? []
      : [{ kind: 'occasion' as const, path: ['activityTypes'], value: rule.activityTypes }]),
    ...conditions.filter(({ kind }) => kind !== 'product'),
    ...items(rule.limits).map((value, index) => ({ kind: 'limit' as const, path: ['limits', index], value })),
    ...field('budget', 'budget'),
  ];
}

function conditionChips(conditions: unknown): Chip[] {
  if (conditions === undefined) return [];
  if (!isObject(conditions) || !Array.isArray(conditions.all) || Object.keys(conditions).length > 1)
    return [{ kind: 'conditions', path: ['conditions'], value: conditions }];
  return conditions.all.map((value: unknown, index) => ({
    kind: isOfLine(value) ? 'product' : 'condition',
    path: ['conditions', 'all', index],
    value,
  }));
}

/** The rule looks at purchases alone, which the sentence need not say. */
function isForPurchases({ activityTypes, schedule }: RuleFields): boolean {
  return schedule === undefined && Array.isArray(activityTypes) && String(activityTypes) === 'Accrual';
}

/** Tells whether a condition asks for a fact of a line item. */
export function isOfLine(condition: unknown): boolean {
  return isObject(condition) && lineFacts.includes(condition.fact);
}

/** The changes of a rule that gets one more condition. A rule with a condition of a line looks at each line. */
export function addedCondition(rule: RuleFields, condition: Readonly<Record<string, unknown>>): Change[] {
  const { conditions } = rule;
  const isPlain = isObject(conditions) && Array.isArray(conditions.all) && Object.keys(conditions).length === 1;
  const added: Change = isPlain
    ? { path: ['conditions', 'all', (conditions.all as unknown[]).length], value: condition }
    : { path: ['conditions'], value: { all: [...(conditions === undefined ? [] : [conditions]), condition] } };
  return [added, ...(isOfLine(condition) && rule.perLine !== true ? lookAtLines(rule) : [])];
}

/** What changes when a part of the sentence is taken away. */
export function withoutChip(rule: RuleFields, chip: Chip): Change[] {
  if (chip.kind === 'whom')
    return ['tiers', 'segments'].flatMap((name) => (name in rule ? [{ path: [name], value: undefined }] : []));
  if (chip.kind === 'occasion')
    return [
      { path: ['activityTypes'], value: ['Accrual'] },
      ...('schedule' in rule ? [{ path: ['schedule'], value: undefined }] : []),
    ];
  const removed: Change = { path: chip.path, value: undefined };
  const isLastOfLimits = chip.kind === 'limit' && items(rule.limits).length === 1;
  if (isLastOfLimits) return [{ path: ['limits'], value: undefined }];
  const others = sentenceOf(rule).filter(({ kind, path }) => kind === 'product' && String(path) !== String(chip.path));
  return chip.kind === 'product' && others.length === 0 && rule.perLine === true
    ? [removed, ...lookAtWhole(rule)]
    : [removed];
}

/** Makes the rule look at each line, and its points follow from the amount of the line. */
function lookAtLines(rule: RuleFields): Change[] {
  return [{ path: ['perLine'], value: true }, ...movedAmounts(rule, wholeValue, lineValue)];
}

function lookAtWhole(rule: RuleFields): Change[] {
  return [{ path: ['perLine'], value: undefined }, ...movedAmounts(rule, lineValue, wholeValue)];
}

/** Computes the amounts of a rule that follow from one fact from another one. */
function movedAmounts(rule: RuleFields, from: Fact, to: Fact): Change[] {
  return amountsOf(rule).flatMap(({ path, of }) => (isFact(of, from) ? [{ path: [...path, 'of'], value: to }] : []));
}

/**
 * Tells whether the rule looks at each line, but takes its points from the amount of the whole purchase. Then three lines
 * give three times as much, which is rarely meant.
 */
export function countsWholePerLine(rule: RuleFields): boolean {
  return rule.perLine === true && amountsOf(rule).some(({ of }) => isFact(of, wholeValue));
}

type Fact = Readonly<{ fact: string; path: string }>;

function isFact(of: unknown, { fact, path }: Fact): boolean {
  return isObject(of) && of.fact === fact && of.path === path;
}

/** The amounts that actions compute from a fact, with the places where they stand. */
function amountsOf({ actions }: RuleFields): { path: (string | number)[]; of: unknown }[] {
  return items(actions).flatMap((action, index) =>
    isObject(action) && isObject(action.points) ? [{ path: ['actions', index, 'points'], of: action.points.of }] : [],
  );
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
