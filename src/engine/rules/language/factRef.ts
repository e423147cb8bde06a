import { type Static, Type } from '@sinclair/typebox';
import { freeObject, record, text } from '#base/schema/atoms';
import { EvaluationError } from './evaluationError';

/** Most characters of a path in a rule file. */
export const pathMax = 500;

/** A reference to a fact, or to the part of it at a path. */
export const factRef = record({
  fact: text(100),
  path: Type.Optional(text(pathMax)),
  params: Type.Optional(freeObject()),
});

export type FactRef = Readonly<Static<typeof factRef>>;

/** Tells whether json-rules-engine reads a value as a reference to a fact: an object with the key `fact`. */
export function isFactRef(value: unknown): value is FactRef {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
}

/** A reference as it is shown in messages, such as `activity $.value`. */
export function refText({ fact, path }: { fact: string; path?: string }): string {
  return path === undefined ? fact : `${fact} ${path}`;
}

/** A key that is equal for references to the same value. */
export function refKey({ fact, path, params }: FactRef): string {
  return `${fact} ${path ?? '$'}${params === undefined ? '' : ` ${JSON.stringify(params)}`}`;
}

/** Returns the value of a fact. During one call of an evaluator, equal names and params must return the same value. */
export type ReadFact = (name: string, params?: Readonly<Record<string, unknown>>) => unknown;

/** Returns the value of a fact. */
export type ReadRef = (ref: FactRef) => unknown;

/**
 * The value of a fact as a number; undefined when it is missing.
 * @throws EvaluationError when it is not a finite number
 */
export function numberAt(ref: FactRef, readFact: ReadRef): number | undefined {
  const value = readFact(ref);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new EvaluationError(`${refText(ref)} is not a number`);
}
