import { type Static, Type } from '@sinclair/typebox';
import { type FieldError, ServiceError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import { anyValue, list, oneOf, record, text } from '#base/schema/atoms';
import { joinPath } from '#base/schema/joinPath';
import { compileParse } from '#base/schema/parse';

type Scalar = string | number | boolean;

const lookupShape = record({
  model: text(100, { description: 'Singular Pascal case of a resource, such as PursePolicy' }),
  keys: Type.Unsafe<Record<string, Scalar>>({
    type: 'object',
    minProperties: 1,
    maxProperties: 10,
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  }),
  select: list(text(200), 20, { minItems: 1 }),
  default: Type.Optional(anyValue()),
});

const autoIncrementShape = record({
  seqName: text(100),
  type: Type.Optional(oneOf(['string', 'number', 'integer'])),
});

/** A directive that is replaced by a value of a record (SPEC "Pre-processing of request bodies"). */
export type Lookup = Static<typeof lookupShape>;

/** A directive that is replaced by the next value of a sequence (SPEC "Pre-processing of request bodies"). */
export type AutoIncrement = Static<typeof autoIncrementShape>;

/** The location of a directive in a body. */
export interface BodyLocation {
  /** The object or list that contains the directive; `key` is its key or index there. */
  holder: object;
  key: string;
  /** Dotted path in the body. */
  path: string;
}

/** A parsed directive: a `lookup` or `autoIncrement` in a body, with its location. */
export type BodyDirective = BodyLocation & ({ lookup: Lookup } | { autoIncrement: AutoIncrement });

/**
 * Reads the directive at a location.
 * @returns undefined when the value is no directive; the faults when the directive is malformed
 */
export function readDefinition(place: BodyLocation, value: unknown): BodyDirective | FieldError[] | undefined {
  const kind = directiveKind(value);
  if (kind === undefined || !isPlainObject(value)) return undefined;
  const path = joinPath(place.path, kind);
  if (kind === 'lookup') return capture(path, () => ({ ...place, lookup: parsers.lookup(value.lookup) }));
  return capture(path, () => ({ ...place, autoIncrement: parsers.autoIncrement(withLowerType(value.autoIncrement)) }));
}

/** SPEC writes its types in several ways: String, string, Integer, integer. */
function withLowerType(directive: unknown): unknown {
  if (!isPlainObject(directive) || typeof directive.type !== 'string') return directive;
  return { ...directive, type: directive.type.toLowerCase() };
}

const parsers = { lookup: compileParse(lookupShape), autoIncrement: compileParse(autoIncrementShape) };

/** A directive is an object with exactly this one key. An object with more keys is data. */
function directiveKind(value: unknown): 'lookup' | 'autoIncrement' | undefined {
  if (!isPlainObject(value)) return undefined;
  const [key, ...others] = Object.keys(value);
  return others.length === 0 && (key === 'lookup' || key === 'autoIncrement') ? key : undefined;
}

function capture(at: string, read: () => BodyDirective): BodyDirective | FieldError[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.details.errors) throw error;
    return error.details.errors.map(({ path, ...rest }) => ({ ...rest, path: path === '' ? at : joinPath(at, path) }));
  }
}
