import type { TSchema } from '@sinclair/typebox';
import { isPlainObject } from '#base/common/plainObject';

/** Leaves out the fields of a JSON value that are null. A value without such fields is returned itself. */
type WithoutNulls = (value: unknown) => unknown;

/**
 * Compiles the removal of null fields: in a body, null means that there is no value (docs/design/http.md). Elements of
 * lists stay, fields that the schema does not know, and what objects of free shape hold, such as `ext`.
 */
export function compileWithoutNulls(schema: TSchema): WithoutNulls {
  return withoutNulls(schema) ?? unchanged;
}

const unchanged: WithoutNulls = (value) => value;

function withoutNulls(schema: TSchema): WithoutNulls | undefined {
  if (schema.items) return ofList(withoutNulls(schema.items));
  const { properties = {}, additionalProperties: others } = schema;
  const known = new Map(Object.entries<TSchema>(properties).map(([name, child]) => [name, compileWithoutNulls(child)]));
  const ofOthers = typeof others === 'object' ? compileWithoutNulls(others) : undefined;
  return known.size > 0 || ofOthers ? ofObject((name) => known.get(name) ?? ofOthers) : undefined;
}

function ofList(ofElement: WithoutNulls | undefined): WithoutNulls | undefined {
  if (!ofElement) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const elements = value.map(ofElement);
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  };
}

/** @param childOf returns what to do with a field; undefined when the object does not have the field */
function ofObject(childOf: (name: string) => WithoutNulls | undefined): WithoutNulls {
  return (value) => {
    if (!isPlainObject(value)) return value;
    let changed: Record<string, unknown> | undefined;
    for (const [name, child] of Object.entries(value)) {
      const ofChild = childOf(name);
      const left = child === null ? undefined : ofChild?.(child);
      if (!ofChild || left === child) continue;
      changed ??= { ...value };
      if (left === undefined) Reflect.deleteProperty(changed, name);
      else changed[name] = left;
    }
    return changed ?? value;
  };
}
