/** What an operator takes; says how its value is read. */
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

/** The operators that stand beside a field in `query`, and what each takes; every other operator is refused. */
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

/** The operators that join filters; each takes a list with at least one. */
export const logicalOperators: readonly string[] = ['$and', '$or', '$nor'];

/** The types that `$type` knows. */
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

/** Prefixes of a value in `field=value` and the operator each stands for, longer ones first. */
export const shorthands = [
  { prefix: '>=', operator: '$gte' },
  { prefix: '<=', operator: '$lte' },
  { prefix: '!=', operator: '$ne' },
  { prefix: '>', operator: '$gt' },
  { prefix: '<', operator: '$lt' },
  { prefix: '~', operator: '$regex' },
] as const;

/** What the named operator takes; undefined when it may not stand beside a field. */
export function takesOf(name: string): Takes | undefined {
  return isFieldOperator(name) ? fieldOperators[name] : undefined;
}

function isFieldOperator(name: string): name is keyof typeof fieldOperators {
  return Object.hasOwn(fieldOperators, name);
}
