/** The operators of a filter `field=value`, by the sign before the value. */
export const operators = {
  is: '',
  isNot: '!=',
  contains: '~',
  above: '>',
  from: '>=',
  below: '<',
  upTo: '<=',
} as const;

export type Operator = keyof typeof operators;

/** The argument of a text that a field must contain, in any case. */
export function asPattern(text: string): string {
  return `~${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
}

/** The text of which {@link asPattern} made an argument; empty for any other argument. */
export function patternText(value: string): string {
  return value.startsWith('~') ? value.slice(1).replace(/\\(.)/g, '$1') : '';
}

/** The argument of an operator and what it compares with. */
export function argumentOf(operator: Operator, operand: string): string {
  return operator === 'contains' ? asPattern(operand) : `${operators[operator]}${operand}`;
}

/** The operator and operand of an argument. */
export function operatorOf(value: string): { operator: Operator; operand: string } {
  if (value.startsWith('~')) return { operator: 'contains', operand: patternText(value) };
  const order: Operator[] = ['isNot', 'from', 'upTo', 'above', 'below'];
  const operator = order.find((each) => value.startsWith(operators[each])) ?? 'is';
  return { operator, operand: value.slice(operators[operator].length) };
}
