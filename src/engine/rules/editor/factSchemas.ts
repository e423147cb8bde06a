import type { TSchema } from '@sinclair/typebox';
import { ifThenElse } from '#base/schema/ifThenElse';
import type { FactDefinition } from '../format/factDefinition';
import { type FactType, typeOfShape } from '../format/factType';
import { pathPattern } from '../language/path';
import { type PathsOfType, pathsByType, proposedPaths } from './factPaths';

type Schema = Record<string, unknown>;

/** A fact with the paths into it. */
interface KnownFact {
  name: string;
  definition: FactDefinition;
  /** The type of the fact without a path. */
  whole: FactType;
  paths: readonly PathsOfType[];
}

/** The facts of a catalogue with their paths. */
export function knownFacts(facts: Record<string, FactDefinition>): KnownFact[] {
  return Object.entries(facts).map(([name, definition]) => {
    const whole = typeOfShape(definition.shape);
    const paths = whole.kind === 'object' || whole.kind === 'any' ? pathsByType(definition.shape) : [];
    return { name, definition, whole, paths };
  });
}

/** The field `fact`, for editors with its meaning. */
export function factNameSchema(facts: readonly KnownFact[]): Schema {
  return { anyOf: facts.map(({ name, definition }) => ({ const: name, description: definition.description })) };
}

/** Rules for the fields of a reference: which paths and params each fact has. With `isFit`, only values of such a type. */
export function referenceSchema(
  facts: readonly KnownFact[],
  plain: (shape: TSchema) => Schema,
  isFit: (type: FactType) => boolean = () => true,
): Schema {
  return { allOf: facts.map((fact) => ifThenElse(isFact(fact), partSchemas(fact, plain, isFit))) };
}

function partSchemas(fact: KnownFact, plain: (shape: TSchema) => Schema, isFit: (type: FactType) => boolean): Schema {
  const { definition, whole } = fact;
  const needed = definition.params?.shape.required ?? [];
  const required = [...(needed.length > 0 ? ['params'] : []), ...(isFit(whole) ? [] : ['path'])];
  const params = definition.params ? plain(definition.params.shape) : false;
  return { properties: { path: pathSchema(fact, isFit), params }, required };
}

function pathSchema({ definition, whole, paths }: KnownFact, isFit: (type: FactType) => boolean): Schema | false {
  const patterns = paths.filter(({ type }) => isFit(type)).map(({ pattern }) => pattern);
  if (patterns.length === 0) return false;
  if (whole.kind === 'any') return { pattern: pathPattern };
  const pattern = `^\\$(${patterns.join('|')})$`;
  // eslint-disable-next-line security/detect-non-literal-regexp -- made from shapes of the service
  const isPath = new RegExp(pattern);
  const proposed = proposedPaths(definition.shape).filter((path) => isPath.test(path));
  return { anyOf: [...(proposed.length > 0 ? [{ enum: proposed }] : []), { type: 'string', pattern }] };
}

/**
 * What a comparison with each fact and path must be. `ofType` names the schema of comparisons with a type.
 */
export function comparedSchemas(facts: readonly KnownFact[], ofType: (type: FactType) => Schema): Schema[] {
  return facts.map((fact) => {
    const { whole, paths } = fact;
    const byPath = paths.map(({ type, pattern }) =>
      ifThenElse({ properties: { path: { pattern: `^\\$${pattern}$` } }, required: ['path'] }, ofType(type)),
    );
    const without = ifThenElse({ not: { required: ['path'] } }, ofType(whole));
    return ifThenElse(isFact(fact), { allOf: [without, ...byPath] });
  });
}

function isFact({ name }: KnownFact): Schema {
  return { properties: { fact: { const: name } }, required: ['fact'] };
}
