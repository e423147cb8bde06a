import { type Static, Type } from '@sinclair/typebox';
import { freeObject, record, text } from '../../schema/atoms';

/** Longest path of a rule file in characters. */
export const pathMax = 500;

/** A fact, or the part of it that a path selects. */
export const factRef = record({
  fact: text(100),
  path: Type.Optional(text(pathMax)),
  params: Type.Optional(freeObject()),
});

export type FactRef = Readonly<Static<typeof factRef>>;

/** A fact and its path as a text for messages, such as `activity $.value`. */
export function refText({ fact, path }: { fact: string; path?: string }): string {
  return path === undefined ? fact : `${fact} ${path}`;
}

/** The same text for references that read the same value. */
export function refKey({ fact, path, params }: FactRef): string {
  return `${fact} ${path ?? '$'}${params === undefined ? '' : ` ${JSON.stringify(params)}`}`;
}

/** Gives the value of a fact, the same for the same name and parameters during one call of an evaluator. */
export type ReadFact = (name: string, params?: Readonly<Record<string, unknown>>) => unknown;
