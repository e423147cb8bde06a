/** The kinds of value that operators take; the kind decides how the value is read. */
export type Takes =
  | 'value'
  | 'ordered'
  | 'list'
  | 'flag'
  | 'type'
  | 'pattern'
  | 'options'
  | 'length'
  | 'condition'
  | 'element';

/** The operators that `query` allows for a field, and the value that each takes. Every other operator is refused. */
export const fieldOperators = {
  $eq: 'value',
  $ne: 'value',
  $gt: 'ordered',
  $gte: 'ordered',
  $lt: 'ordered',
  $lte: 'ordered',
  $in: 'list',
  $nin: 'list',
  $all: 'list',
  $exists: 'flag',
  $type: 'type',
  $regex: 'pattern',
  $options: 'options',
  $size: 'length',
  $not: 'condition',
  $elemMatch: 'element',
} as const satisfies Record<string, Takes>;

/** The operators that join filters; each takes a list of at least one filter. */
export const logicalOperators: readonly string[] = ['$and', '$or', '$nor'];

/** The types that `$type` accepts. */
export const typeNames: readonly string[] = [
  'array',
  'bool',
  'date',
  'double',
  'int',
  'long',
  'null',
  'number',
  'object',
  'objectId',
  'string',
];

/** The prefixes of a value in `field=value`, and the operator of each; longer prefixes come first. */
export const shorthands = [
  { prefix: '>=', operator: '$gte' },
  { prefix: '<=', operator: '$lte' },
  { prefix: '!=', operator: '$ne' },
  { prefix: '>', operator: '$gt' },
  { prefix: '<', operator: '$lt' },
  { prefix: '~', operator: '$regex' },
] as const;

/** Returns the kind of value that an operator takes; undefined when it may not be used for a field. */
export function operandKind(name: string): Takes | undefined {
  return isFieldOperator(name) ? fieldOperators[name] : undefined;
}

function isFieldOperator(name: string): name is keyof typeof fieldOperators {
  return Object.hasOwn(fieldOperators, name);
}
