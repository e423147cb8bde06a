import { refusedKeys } from '#base/schema/freeObject';
import { dayPattern, instantPattern } from '#base/schema/instant';

type Schema = Record<string, unknown>;

/** An object of any shape, as the service stores it. Its names have no dot and do not begin with `$`. */
export const freeSchema: Schema = {
  propertyNames: { pattern: `^(?!(${refusedKeys.join('|')})$)[^.$\\u0000][^.\\u0000]*$` },
  additionalProperties: { $ref: '#/$defs/free' },
  items: { $ref: '#/$defs/free' },
};

/**
 * A schema of the service as other programs understand it: dates and free objects become patterns, fields with a
 * default are not required, and the service's own keywords are removed, except what forms say of fields. `replaced` may give another schema for a part.
 */
export function plainSchema(
  schema: unknown,
  replaced: (part: object, name: string) => unknown = () => undefined,
  name = '',
): Schema {
  const plain = (part: unknown, at: string): unknown => {
    if (Array.isArray(part)) return part.map((each) => plain(each, at));
    if (typeof part !== 'object' || part === null) return part;
    const definition: unknown = Reflect.get(part, 'x-def');
    if (typeof definition === 'string') return { $ref: `#/$defs/${definition}` };
    const other = replaced(part, at);
    if (other !== undefined) return other;
    const entries = Object.entries(part).flatMap(([key, value]) =>
      key.startsWith('x-') ? own(key, value) : [[key, plain(value, isSchemaWord(key) ? at : key)] as const],
    );
    const made = Object.fromEntries(entries);
    return 'required' in part && 'properties' in part ? { ...made, required: withoutDefaulted(part) } : made;
  };
  return Object(plain(schema, name));
}

/** The pattern of instants. The years before 1900, which no rule needs, are not looked into. */
export const acceptedInstant = `${instantPattern}|^(0\\d|1[0-8])\\d\\d-|/(0\\d|1[0-8])\\d\\d `;

/** Words of JSON Schema inside which the name of the field stays the same. */
function isSchemaWord(key: string): boolean {
  return ['then', 'else', 'if', 'items', 'allOf', 'anyOf', 'properties'].includes(key);
}

function own(key: string, value: unknown): (readonly [string, unknown])[] {
  if (key === 'x-date') return [['pattern', value === 'orDay' ? `${acceptedInstant}|${dayPattern}` : acceptedInstant]];
  if (key === 'x-form') return [[key, value]];
  return key === 'x-free' ? [['allOf', [{ $ref: '#/$defs/free' }]]] : [];
}

/** The required fields without those that the service fills in. */
function withoutDefaulted({ required, properties }: { required: unknown; properties: unknown }): unknown[] {
  return [required].flat().filter((name) => !hasDefault(Object(properties)[String(name)]));
}

function hasDefault(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'default' in schema;
}
