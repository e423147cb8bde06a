import type { TProperties, TSchema } from '@sinclair/typebox';
import { type ServiceError, validationError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import { mapYielding } from '#base/common/yielding';
import { copyJson } from '#base/schema/copyJson';
import { compileWithoutNulls } from '#base/schema/nulls';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import type { Resource } from '#base/schema/resource';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';

/** Reads the bodies of new records: for each the parsed body, or the error that names every failing field. */
export type ReadRows<T> = (bodies: readonly unknown[], definitions: ExtDefinitions) => Promise<(T | ServiceError)[]>;

/** Makes the reader of many bodies of new records of a resource. Each is read as the body of a single creation. */
export function createReadRows<T, P extends TProperties = TProperties>(
  { name, shape }: Resource<P>,
  body: TSchema,
): ReadRows<T> {
  const withoutNulls = compileWithoutNulls(body);
  const parse = compileParse(body);
  const hasExt = Object.hasOwn(shape.properties, 'ext');
  return (bodies, definitions) =>
    mapYielding(bodies, (sent) => {
      const copy = withoutNulls(copyJson(sent));
      const checked = hasExt && isPlainObject(copy) ? checkExt(name, copy, definitions) : { value: copy, faults: [] };
      const parsed = parseOrFaults(() => parse(checked.value));
      const faults = [...('faults' in parsed ? parsed.faults : []), ...checked.faults];
      return faults.length > 0 || 'faults' in parsed ? validationError(faults) : (parsed.value as T);
    });
}

function checkExt(model: string, sent: Record<string, unknown>, definitions: ExtDefinitions) {
  // The schema reports an `ext` of another type.
  if (sent.ext !== undefined && !isPlainObject(sent.ext)) return { value: sent, faults: [] };
  const { ext, faults } = definitions.check(model, sent.ext, { isNew: true });
  return { value: ext === sent.ext ? sent : { ...sent, ext }, faults };
}
