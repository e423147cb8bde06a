import { joinMessages, type Message, message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import type { FactDefinition } from '../format/factDefinition';
import { kindWords } from '../format/factType';
import type { Amount } from '../language/amount';
import { computationLimits, computationWords, type Operand, splitComputation } from '../language/computation';
import { type FactRef, refText } from '../language/factRef';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { factTypeAt } from './checkConditions';

/** The facts that an amount may refer to. */
type Facts = Record<string, FactDefinition>;

/** Checks what the schema of an amount cannot check: its facts, its computation and its bounds. */
export function checkAmount(source: RuleSource, at: JsonPath, amount: Amount, facts: Facts): void {
  if (typeof amount === 'number') return;
  checkBase(source, [...at, 'of'], amount.of, facts);
  if ('times' in amount && typeof amount.times === 'object') {
    checkNumber(source, [...at, 'times'], amount.times, facts, 'rules.factorNeedsNumber');
  }
  if (amount.min !== undefined && amount.max !== undefined && amount.min > amount.max) {
    source.error([...at, 'max'], message('rules.maxBelowMin'));
  }
}

/** Checks a fact or computation from which a number is computed. */
export function checkBase(source: RuleSource, at: JsonPath, base: Exclude<Operand, number>, facts: Facts): void {
  const count = countOperands(base);
  if (count > computationLimits.operandsMax) {
    source.error(at, message('rules.tooManyOperands', { count, max: computationLimits.operandsMax }));
  } else checkOperand(source, at, base, { facts, depth: 0 });
}

/** Counts operands, valid or not. The recursion is safe: files nest at most 100 levels. */
function countOperands(value: unknown): number {
  if (!isPlainObject(value) || 'fact' in value) return 1;
  return Object.values(value)
    .flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
    .reduce<number>((sum, each) => sum + countOperands(each), 0);
}

interface Scope {
  facts: Facts;
  /** How many computations contain the operand. */
  depth: number;
}

function checkOperand(source: RuleSource, at: JsonPath, value: unknown, { facts, depth }: Scope): void {
  if (typeof value === 'number') return;
  if (!isPlainObject(value)) {
    source.error(at, message('rules.operand'));
  } else if ('fact' in value) checkOperandFact(source, at, value, facts);
  else if (depth >= computationLimits.depthMax) {
    source.error(at, message('rules.computationTooDeep', { max: computationLimits.depthMax }));
  } else checkComputation(source, at, value, { facts, depth: depth + 1 });
}

function checkOperandFact(source: RuleSource, at: JsonPath, value: Record<string, unknown>, facts: Facts): void {
  for (const name of Object.keys(value)) {
    if (refFields.includes(name)) continue;
    source.keyError([...at, name], didYouMean(message('rules.noFieldOfFact', { name }), name, refFields));
  }
  const { fact, path, params } = value;
  if (typeof fact !== 'string') source.error([...at, 'fact'], message('rules.factName'));
  else checkNumber(source, at, { fact, path, params }, facts);
}

const refFields = ['fact', 'path', 'params'];

function checkNumber(
  source: RuleSource,
  at: JsonPath,
  ref: { fact: string; path?: unknown; params?: unknown },
  facts: Facts,
  messageId: 'rules.needsNumber' | 'rules.factorNeedsNumber' = 'rules.needsNumber',
): void {
  const type = factTypeAt(source, at, ref, facts);
  if (!type || type.kind === 'number' || type.kind === 'any') return;
  source.error(at, message(messageId, { ref: refText(ref as FactRef), kind: kindWords[type.kind] }));
}

function checkComputation(source: RuleSource, at: JsonPath, value: Record<string, unknown>, scope: Scope): void {
  const known = Object.keys(computationWords);
  const names = Object.keys(value);
  const [name = '', second] = names;
  if (second !== undefined) {
    source.keyError([...at, second], message('rules.twoComputations', { name, second }));
    return;
  }
  const word = known.includes(name) ? computationWords[name as keyof typeof computationWords] : undefined;
  if (!word) {
    const fault = message('rules.operandOrOperator', { known: known.join(', ') });
    const unknown = didYouMean(message('rules.unknownPart', { name }), name, known);
    source.error(at, name === '' ? fault : joinMessages('semicolon', [fault, unknown]));
    return;
  }
  const { operands } = splitComputation(value as never);
  const fault = operandsFault(name, operands, word.isPair === true);
  if (fault !== undefined) source.error([...at, name], fault);
  else
    operands.forEach((each, index) => {
      checkOperand(source, [...at, name, index], each, scope);
    });
}

function operandsFault(name: string, operands: unknown, isPair: boolean): Message | undefined {
  const count = Array.isArray(operands) ? operands.length : 0;
  if (isPair) return count === 2 ? undefined : message('rules.twoOperands', { name });
  return count >= 2 ? undefined : message('rules.twoOperandsAtLeast', { name });
}
