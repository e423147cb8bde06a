import { type Message, message } from '#base/common/messages/message';
import { type FactType, kindWords } from '../format/factType';
import { instantMs } from '../language/instantMs';
import {
  compiled,
  decorators,
  directions,
  type OperatorDefinition,
  operators,
  readWithinDays,
  regexMax,
  regexSizeMax,
} from '../language/operators';
import { didYouMean } from '../source/nearest';

/** One side of a comparison: its type, its value if it is a literal, and its name in messages. */
export interface Operand {
  type: FactType;
  literal?: unknown;
  isLiteral: boolean;
  name: string;
}

/** A fault of a comparison, and the field with the fault. A warning means that the comparison can never be true. */
export interface ComparisonFault extends Message {
  field: 'operator' | 'value';
  isWarning?: boolean;
}

/** The operand of a literal. */
export function literalOperand(literal: unknown): Operand {
  return { type: typeOfLiteral(literal), literal, isLiteral: true, name: JSON.stringify(literal) ?? 'nothing' };
}

/** Checks that an operator, with its decorators, fits the two operands. Returns undefined when it fits. */
export function operandFault(operator: string, fact: Operand, value: Operand): ComparisonFault | undefined {
  const names = operator.split(':');
  const base = names.pop() ?? '';
  const definition = Object.hasOwn(operators, base) ? operators[base] : undefined;
  if (!definition)
    return {
      field: 'operator',
      ...didYouMean(message('rules.unknownOperator', { base }), base, Object.keys(operators)),
    };
  const unknown = names.find((name) => !Object.hasOwn(decorators, name));
  if (unknown !== undefined) {
    const fault = message('rules.unknownDecorator', { decorator: unknown });
    return operatorFault(didYouMean(fault, unknown, Object.keys(decorators)));
  }
  return decorated(names, definition, base, { fact, value });
}

interface Sides {
  fact: Operand;
  value: Operand;
}

function decorated(names: readonly string[], definition: OperatorDefinition, base: string, sides: Sides) {
  let { fact, value } = sides;
  for (const name of names) {
    if (name === 'swap') [fact, value] = [value, fact];
    if (name === 'someFact' || name === 'everyFact') {
      if (!isA(fact, 'list'))
        return operatorFault(message('rules.decoratorNeedsList', { name, fact: fact.name, kind: aKind(fact) }));
      fact = element(fact);
    }
    if (name === 'someValue' || name === 'everyValue') {
      if (!isA(value, 'list')) return valueFault(message('rules.needsList', { name }));
      const elements = listElements(value);
      const faults = elements
        .map((each) => baseFault(definition, base, fact, each))
        .filter((fault) => fault !== undefined);
      return faults[0];
    }
  }
  return baseFault(definition, base, fact, value);
}

function baseFault(definition: OperatorDefinition, base: string, fact: Operand, value: Operand) {
  return factFault(definition, base, fact) ?? valueChecks[definition.value](fact, value, base);
}

function factFault({ fact: wanted }: OperatorDefinition, base: string, fact: Operand): ComparisonFault | undefined {
  const { kind } = fact.type;
  if (kind === 'any' || acceptedKinds[wanted].includes(kind)) return undefined;
  const fault = message('rules.operatorDoesNotFit', { base, fact: fact.name, kind: aKind(fact) });
  return operatorFault(kind === 'list' ? message('rules.useDecorator', { fault, base }) : fault);
}

/** The kinds of fact that each class of operators accepts. */
export const acceptedKinds: Record<OperatorDefinition['fact'], readonly FactType['kind'][]> = {
  any: ['number', 'text', 'boolean', 'date', 'object', 'list'],
  single: ['number', 'text', 'boolean', 'date'],
  ordered: ['number', 'date'],
  date: ['date'],
  text: ['text'],
  list: ['list'],
};

/** What the field `value` of a comparison must contain, in words. */
export const valueTexts: Record<OperatorDefinition['value'], string> = {
  same: 'of the same kind',
  listOfSame: 'a list of such: `["a", "b"]`',
  element: 'like an element',
  pair: '`[lowest, highest]`',
  days: 'a number of days, 0 or more, or `{"days": 7, "direction": "past"}`: `past`, `future` or `both`',
  text: 'a text',
  regex: 'a regular expression',
  listName: 'the name of a named list',
  boolean: '`true` or `false`',
};

type ValueCheck = (fact: Operand, value: Operand, base: string) => ComparisonFault | undefined;

const valueChecks: Record<OperatorDefinition['value'], ValueCheck> = {
  same: sameFault,
  listOfSame: (fact, value, base) => {
    if (!isA(value, 'list')) return valueFault(message('rules.needsListOfValues', { base }));
    return first(listElements(value).map((each) => sameFault(fact, each)));
  },
  element: (fact, value) => sameFault(element(fact), value),
  pair: (fact, value, base) => {
    if (!value.isLiteral) return undefined;
    if (!Array.isArray(value.literal) || value.literal.length !== 2) {
      return valueFault(message('rules.needsRange', { base }));
    }
    return first(listElements(value).map((each) => sameFault(fact, each)));
  },
  days: daysFault,
  text: (_, value, base) => (isA(value, 'text') ? undefined : valueFault(message('rules.needsText', { base }))),
  regex: regexFault,
  listName: (_, value, base) =>
    typeof value.literal === 'string' ? undefined : valueFault(message('rules.needsNamedList', { base })),
  boolean: (_, value, base) =>
    isA(value, 'boolean') ? undefined : valueFault(message('rules.needsTrueOrFalse', { base })),
};

function sameFault(fact: Operand, value: Operand): ComparisonFault | undefined {
  const { kind, words } = fact.type;
  if (kind === 'any' || value.type.kind === 'any' || value.literal === null) return undefined;
  if (kind === 'date' && value.isLiteral) {
    if (typeof value.literal === 'string' && !Number.isNaN(instantMs(value.literal))) return undefined;
    return valueFault(message('rules.needsDate', { fact: fact.name, value: value.name }));
  }
  if (kind !== value.type.kind)
    return valueFault(
      message('rules.otherType', { fact: fact.name, kind: aKind(fact), value: value.name, otherKind: aKind(value) }),
    );
  if (!words || typeof value.literal !== 'string' || words.includes(value.literal)) return undefined;
  const never = message('rules.neverIs', { fact: fact.name, value: value.name });
  return { ...valueFault(didYouMean(never, value.literal, words)), isWarning: true };
}

function daysFault(_: Operand, value: Operand, base: string): ComparisonFault | undefined {
  if (!value.isLiteral) return isA(value, 'number') ? undefined : valueFault(message('rules.needsDays', { base }));
  const direction: unknown = Object(value.literal).direction;
  if (typeof direction === 'string' && !directions.some((each) => each === direction)) {
    return valueFault(didYouMean(message('rules.unknownDirection', { direction }), direction, directions));
  }
  const days = readWithinDays(value.literal)?.days ?? -1;
  const example = '{"days": 7, "direction": "past"}';
  return days >= 0 ? undefined : valueFault(message('rules.needsDaysOrPart', { base, example }));
}

function regexFault(_: Operand, value: Operand): ComparisonFault | undefined {
  if (!isA(value, 'text')) return valueFault(message('rules.regexInText'));
  if (typeof value.literal !== 'string') return undefined;
  if (value.literal.length > regexMax) return valueFault(message('rules.regexTooLong', { max: regexMax }));
  try {
    const size = compiled(value.literal).programSize();
    return size <= regexSizeMax ? undefined : valueFault(message('rules.regexTooLarge', { size, max: regexSizeMax }));
  } catch (error) {
    return valueFault(message('rules.notRe2', { reason: error instanceof Error ? error.message : String(error) }));
  }
}

function typeOfLiteral(literal: unknown): FactType {
  if (literal === null) return { kind: 'any' };
  if (Array.isArray(literal)) return { kind: 'list', item: { kind: 'any' } };
  const kinds: Record<string, FactType['kind']> = { number: 'number', string: 'text', boolean: 'boolean' };
  return { kind: kinds[typeof literal] ?? 'object' };
}

function element(list: Operand): Operand {
  if (list.isLiteral && Array.isArray(list.literal)) return literalOperand(list.literal[0]);
  return { type: list.type.item ?? { kind: 'any' }, isLiteral: false, name: `an element of ${list.name}` };
}

function listElements(list: Operand): Operand[] {
  return list.isLiteral && Array.isArray(list.literal) ? list.literal.map(literalOperand) : [element(list)];
}

function isA({ type }: Operand, kind: FactType['kind']): boolean {
  return type.kind === kind || type.kind === 'any';
}

function aKind({ type }: Operand): Message {
  return kindWords[type.kind];
}

function first(faults: readonly (ComparisonFault | undefined)[]): ComparisonFault | undefined {
  return faults.find((fault) => fault && !fault.isWarning) ?? faults.find((fault) => fault);
}

function operatorFault(fault: Message): ComparisonFault {
  return { field: 'operator', ...fault };
}

function valueFault(fault: Message): ComparisonFault {
  return { field: 'value', ...fault };
}
