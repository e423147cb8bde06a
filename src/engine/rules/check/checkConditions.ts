import { type Message, message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import type { FactDefinition } from '../format/factDefinition';
import { type FactType, typeOfRef } from '../format/factType';
import { type Comparison, type Condition, listNames } from '../language/condition';
import { isFactRef, refText } from '../language/factRef';
import { operators } from '../language/operators';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { areFitKeys } from './lookupKeys';
import { literalOperand, type Operand, operandFault } from './operandFault';

/** A condition as a file writes it: a named condition is still a name. */
export type WrittenCondition = Condition | { condition: string; priority?: number; name?: string };

/** The facts and names that conditions may refer to. */
export interface ConditionScope {
  facts: Record<string, FactDefinition>;
  /** Names of the program's named conditions. */
  named: ReadonlySet<string>;
  /** Names of the org's named lists. */
  namedLists: readonly string[];
}

/** Limits of the conditions of one rule. A named condition counts wherever it is used. */
export const conditionLimits = { depthMax: 32, countMax: 500, priorityMax: 1_000_000 } as const;

const words = ['all', 'any', 'not', 'condition'] as const;
type Word = (typeof words)[number];

const fieldsOf: Record<Word | 'fact', readonly string[]> = {
  all: ['all', 'name', 'priority'],
  any: ['any', 'name', 'priority'],
  not: ['not', 'name', 'priority'],
  condition: ['condition', 'name', 'priority'],
  fact: ['fact', 'operator', 'value', 'path', 'params', 'name', 'priority'],
};

/** Checks conditions as written and reports every fault at its position; returns false when there is a fault. */
export function checkConditions(source: RuleSource, at: JsonPath, value: unknown, scope: ConditionScope): boolean {
  const before = source.faultCount;
  const count = countConditions(value);
  if (count > conditionLimits.countMax) {
    source.error(at, tooManyFault(count));
    return false;
  }
  if (isPlainObject(value) && 'fact' in value && !words.some((word) => word in value)) {
    source.error(at, message('rules.outermostCondition'));
  }
  new ConditionCheck(source, scope).check(at, value, 1);
  return source.faultCount === before;
}

/** The message that a rule has too many conditions. */
export function tooManyFault(count: number): Message {
  return message('rules.tooManyConditions', { count, max: conditionLimits.countMax });
}

/** Counts conditions, valid or not. The recursion is safe: files nest at most 100 levels. */
function countConditions(value: unknown): number {
  if (!isPlainObject(value)) return 1;
  const children = [value.all, value.any].flatMap((each) => (Array.isArray(each) ? each : []));
  return children.reduce<number>(
    (sum, each) => sum + countConditions(each),
    'not' in value ? 1 + countConditions(value.not) : 1,
  );
}

class ConditionCheck {
  constructor(
    private readonly source: RuleSource,
    private readonly scope: ConditionScope,
  ) {}

  check(at: JsonPath, value: unknown, depth: number): void {
    if (depth > conditionLimits.depthMax) {
      this.source.error(at, message('rules.conditionsTooDeep', { max: conditionLimits.depthMax }));
    } else if (!isPlainObject(value)) {
      this.source.error(at, message('rules.conditionNoObject'));
    } else this.checkNode(at, value, depth);
  }

  private checkNode(at: JsonPath, value: Record<string, unknown>, depth: number): void {
    const [word, second] = words.filter((each) => each in value);
    if (second !== undefined) {
      this.source.keyError([...at, second], message('rules.twoConditions', { word: word ?? '', second }));
      return;
    }
    this.checkFields(at, value, word ?? 'fact');
    this.checkPriority(at, value);
    if (word === undefined) this.checkComparison(at, value);
    else if (word === 'condition') this.checkReference(at, value.condition);
    else if (word === 'not') this.checkNot([...at, word], value.not, depth);
    else this.checkList([...at, word], value[word], word, depth);
  }

  private checkFields(at: JsonPath, value: Record<string, unknown>, word: Word | 'fact'): void {
    for (const name of Object.keys(value)) {
      if (fieldsOf[word].includes(name)) continue;
      const known = word === 'fact' ? [...fieldsOf.fact, ...words] : fieldsOf[word];
      this.source.keyError([...at, name], didYouMean(message('rules.noFieldOfCondition', { name }), name, known));
    }
  }

  private checkPriority(at: JsonPath, { priority, name }: Record<string, unknown>): void {
    const isFit =
      Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= conditionLimits.priorityMax;
    if (priority !== undefined && !isFit) {
      this.source.error([...at, 'priority'], message('rules.conditionPriority', { max: conditionLimits.priorityMax }));
    }
    if (name !== undefined && typeof name !== 'string')
      this.source.error([...at, 'name'], message('rules.conditionName'));
  }

  private checkNot(at: JsonPath, child: unknown, depth: number): void {
    if (Array.isArray(child)) this.source.error(at, message('rules.notHoldsOne'));
    else this.check(at, child, depth + 1);
  }

  private checkList(at: JsonPath, children: unknown, word: 'all' | 'any', depth: number): void {
    if (!Array.isArray(children)) this.source.error(at, message('rules.listOfConditions', { word }));
    else if (word === 'any' && children.length === 0) {
      this.source.error(at, message('rules.emptyAny'));
    } else {
      for (const [index, child] of children.entries()) this.check([...at, index], child, depth + 1);
    }
  }

  private checkReference(at: JsonPath, name: unknown): void {
    const { named } = this.scope;
    if (typeof name !== 'string') this.source.error([...at, 'condition'], message('rules.namedCondition'));
    else if (!named.has(name)) {
      this.source.error(
        [...at, 'condition'],
        didYouMean(message('rules.unknownNamedCondition', { name }), name, named),
      );
    }
  }

  private checkComparison(at: JsonPath, value: Record<string, unknown>): void {
    const missing = ['fact', 'operator', 'value'].filter((name) => !(name in value));
    if (missing.length > 0) {
      this.source.error(at, message('rules.noCondition', { missing: missing.join(', ') }));
      return;
    }
    const left = this.operandOf(at, value) ?? unknownOperand;
    const right = this.valueOf(at, value.value, value.operator) ?? unknownOperand;
    if (typeof value.operator !== 'string') {
      this.source.error([...at, 'operator'], message('rules.operatorNeeded'));
      return;
    }
    const fault = operandFault(value.operator, left, right);
    if (fault?.isWarning) this.source.warning([...at, fault.field], pickMessage(fault));
    else if (fault) this.source.error([...at, fault.field], pickMessage(fault));
    else if (value.operator.endsWith('inNamedList')) this.checkLists([...at, 'value'], value.value);
  }

  private checkLists(at: JsonPath, value: unknown): void {
    const { namedLists } = this.scope;
    for (const name of listNames(value)) {
      if (!namedLists.includes(name))
        this.source.error(at, didYouMean(message('rules.unknownNamedList', { name }), name, namedLists));
    }
  }

  private valueOf(at: JsonPath, value: unknown, operator: unknown): Operand | undefined {
    const fault = takesObjects(operator) ? undefined : objectFault(value);
    if (fault !== undefined) {
      this.source.error([...at, 'value'], fault);
      return undefined;
    }
    return isFactRef(value) ? this.factValue([...at, 'value'], value) : literalOperand(value);
  }

  private factValue(at: JsonPath, value: Pick<Comparison, 'fact'>): Operand | undefined {
    for (const name of Object.keys(value)) {
      if (['fact', 'path', 'params'].includes(name)) continue;
      this.source.keyError(
        [...at, name],
        didYouMean(message('rules.noFieldOfFact', { name }), name, ['fact', 'path', 'params']),
      );
    }
    return this.operandOf(at, { ...value });
  }

  private operandOf(at: JsonPath, { fact, path, params }: Record<string, unknown>): Operand | undefined {
    if (typeof fact !== 'string') {
      this.source.error([...at, 'fact'], message('rules.factName'));
      return undefined;
    }
    const type = factTypeAt(this.source, at, { fact, path, params }, this.scope.facts);
    return type && { type, isLiteral: false, name: refText({ fact, ...(typeof path === 'string' ? { path } : {}) }) };
  }
}

/** Whether an operator has values that are objects: days with a direction. */
function takesObjects(operator: unknown): boolean {
  const base = typeof operator === 'string' ? (operator.split(':').at(-1) ?? '') : '';
  return Object.hasOwn(operators, base) && operators[base]?.value === 'days';
}

/** The fault of an object where a value belongs; undefined for any other value. No comparison with it ever holds. */
function objectFault(value: unknown, isInList = false): Message | undefined {
  if (Array.isArray(value)) return value.map((each) => objectFault(each, true)).find((fault) => fault !== undefined);
  if (!isPlainObject(value)) return undefined;
  if (isFactRef(value)) return isInList ? message('rules.factInList') : undefined;
  return didYouMean(message('rules.valueType'), Object.keys(value)[0] ?? '', ['fact']);
}

/** Stands for an operand that already has a fault. It fits every comparison, so that no second fault is reported. */
const unknownOperand: Operand = { type: { kind: 'any' }, isLiteral: false, name: 'it' };

/** The type of a reference to a fact. Returns undefined after reporting a fault of the reference. */
export function factTypeAt(
  source: RuleSource,
  at: JsonPath,
  ref: { fact: string; path?: unknown; params?: unknown },
  facts: Record<string, FactDefinition>,
): FactType | undefined {
  const type = typeOfRef(facts, ref);
  if ('kind' in type) return hasFitParams(source, at, ref, facts) ? type : undefined;
  source.error([...at, type.field], pickMessage(type));
  return undefined;
}

function hasFitParams(
  source: RuleSource,
  at: JsonPath,
  { fact, params = {} }: { fact: string; params?: unknown },
  facts: Record<string, FactDefinition>,
): boolean {
  const definition = facts[fact]?.params;
  if (!definition) return true;
  if (!definition.check(source, [...at, 'params'], params)) return false;
  definition.warn?.(source, [...at, 'params'], params);
  const columns = facts[fact]?.keysWith?.(params) ?? [];
  return areFitKeys(source, [...at, 'params', 'keys'], { columns, params }, (place, ref) =>
    factTypeAt(source, place, ref, facts),
  );
}
