import { type TSchema, Type } from '@sinclair/typebox';
import { type Message, message } from '#base/common/messages/message';
import { refText } from '../language/factRef';
import { isPath, type PathStep, parsePath } from '../language/path';
import { didYouMean } from '../source/nearest';
import type { FactDefinition } from './factDefinition';

/** The type of a fact, a path or a literal. `words` are the only strings that it can be. */
export interface FactType {
  kind: 'number' | 'text' | 'boolean' | 'date' | 'object' | 'list' | 'any';
  item?: FactType;
  words?: readonly string[];
  /** A date that is a plain day, YYYY-MM-DD, and not an instant. */
  isDay?: boolean;
}

/** A fault of a reference to a fact, and the field with the fault. */
export interface RefFault extends Message {
  field: 'fact' | 'path' | 'params';
}

/** The kinds of values in messages. */
export const kindWords: Record<FactType['kind'], Message> = {
  number: message('words.aNumber'),
  text: message('words.aText'),
  boolean: message('words.aBoolean'),
  date: message('words.aDate'),
  object: message('words.anObjectValue'),
  list: message('words.aListValue'),
  any: message('words.anyValue'),
};

/** The type of a referenced value, or the fault of the reference. */
export function typeOfRef(
  facts: Record<string, FactDefinition>,
  ref: { fact: string; path?: unknown; params?: unknown },
): FactType | RefFault {
  const definition = Object.hasOwn(facts, ref.fact) ? facts[ref.fact] : undefined;
  if (!definition) {
    return {
      field: 'fact',
      ...didYouMean(message('rules.unknownFact', { fact: ref.fact }), ref.fact, Object.keys(facts)),
    };
  }
  if (ref.params !== undefined && !definition.params)
    return { field: 'params', ...message('rules.factWithoutParams', { fact: ref.fact }) };
  const shape = definition.shapeWith?.(ref.params) ?? definition.shape;
  if (ref.path === undefined) return typeOfShape(shape);
  if (typeof ref.path !== 'string' || !isPath(ref.path)) {
    return { field: 'path', ...message('rules.pathForm') };
  }
  const type = typeOfShape(shape);
  if (type.kind !== 'object' && type.kind !== 'any')
    return { field: 'path', ...message('rules.factWithoutPath', { fact: ref.fact, kind: kindWords[type.kind] }) };
  return walk(shape, parsePath(ref.path), { fact: ref.fact, path: ref.path });
}

function walk(shape: TSchema, steps: readonly PathStep[], ref: { fact: string; path: string }): FactType | RefFault {
  let current: TSchema | undefined = shape;
  for (const step of steps) {
    const next = child(current, step);
    if (next.problem !== undefined)
      return { field: 'path', ...message('rules.atFact', { ref: refText(ref), fault: next.problem }) };
    current = next.shape;
  }
  const type = typeOfShape(current);
  return steps.some(({ all }) => all) ? { kind: 'list', item: type } : type;
}

/** The shape one step further along a path; undefined when it can be anything. `problem`: there is no such part. */
function child(shape: TSchema | undefined, step: PathStep): { shape?: TSchema | undefined; problem?: Message } {
  const { kind } = typeOfShape(shape);
  if (shape === undefined || kind === 'any') return {};
  if (kind === 'list') return listElementShape(shape, step);
  if (kind !== 'object') return { problem: message('rules.withoutParts', { kind: kindWords[kind] }) };
  if (step.all) return {};
  const properties: Record<string, TSchema> = shape.properties ?? {};
  if (Object.hasOwn(properties, step.name)) return { shape: properties[step.name] };
  return { problem: didYouMean(message('rules.unknownPart', { name: step.name }), step.name, Object.keys(properties)) };
}

function listElementShape(list: TSchema, step: PathStep): { shape?: TSchema | undefined; problem?: Message } {
  if (step.all || /^\d+$/.test(step.name)) return { shape: list.items };
  if (step.name === 'length') return { shape: Type.Integer() };
  return { problem: message('rules.partOfList', { step: step.name }) };
}

/** The type of values of a shape. */
export function typeOfShape(shape: TSchema | undefined): FactType {
  if (shape === undefined || shape['x-free']) return { kind: 'any' };
  if (shape['x-date']) return { kind: 'date', ...(shape['x-day'] ? { isDay: true } : {}) };
  if (shape.type === 'string') return { kind: 'text', ...(shape.enum ? { words: shape.enum } : {}) };
  if (shape.type === 'integer' || shape.type === 'number') return { kind: 'number' };
  if (shape.type === 'boolean') return { kind: 'boolean' };
  if (shape.type === 'array') return { kind: 'list', item: typeOfShape(shape.items) };
  if (shape.type === 'object' && shape.properties) return { kind: 'object' };
  return { kind: 'any' };
}
