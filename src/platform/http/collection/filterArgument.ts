import { fieldOperators, logicalOperators } from '#base/query/operators';
import { queryLimits } from '#base/query/queryLimits';
import { anyValue } from '#base/schema/atoms';
import type { QueryArgument } from '../route';

const { depthMax, nodesMax } = queryLimits;

const language =
  'a JSON object of fields (a.b is a field within an object), each with the value that it equals or with operators: ' +
  `${Object.keys(fieldOperators).join(', ')}. ${logicalOperators.join(', ')} take lists of filters. ` +
  `Nested at most ${depthMax} deep, of at most ${nodesMax} fields and operators`;

/**
 * Documents an argument that is a filter in the query language. Its schema only says that it is an object. A schema
 * with the fields and operators of a resource would be so large that tools which try every part of it never finish.
 */
export function filterArgument(description: string, { required = false } = {}): QueryArgument {
  const examples = [{ createdAt: { $gte: '2026-01-01T00:00:00.000Z' } }];
  const schema = anyValue({ type: 'object', examples, ...(required ? { minProperties: 1 } : {}) });
  return { description: `${description}: ${language}`, schema, required, isJson: true };
}
