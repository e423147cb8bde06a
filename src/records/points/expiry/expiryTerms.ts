import { strict as assert } from 'node:assert';
import { type Static, type TOptional, type TProperties, Type } from '@sinclair/typebox';
import { oneOf, record, withValues } from '#base/schema/atoms';
import { inForms } from '#base/schema/inForms';
import { type ByLanguage, inLanguage } from '#base/words/language';
import type { ExpiryKind } from './expiryKind';
import { expiryKinds } from './expiryKinds';

type Kinds = typeof expiryKinds;
type KindName = keyof Kinds;
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type Fields = Intersection<Kinds[KindName]['fields']>;
type OptionalFields = { [N in keyof Fields]: Fields[N] extends TProperties[string] ? TOptional<Fields[N]> : never };

const kinds: Readonly<Record<KindName, ExpiryKind>> = expiryKinds;
const entries = Object.entries(kinds);

/** When points expire. {@link missingFields} and the `faults` of a kind say what terms of one type lack. */
export const expiryTerms = record({
  type: oneOf(
    Object.keys(kinds) as readonly KindName[],
    inForms({
      help: {
        en: entries.map(([name, { description }]) => `${name}: ${description.en}`).join('; '),
        de: entries.map(([, { label, description }]) => `${german(label)}: ${german(description)}`).join('; '),
      },
      choices: Object.fromEntries(entries.map(([name, { label }]) => [name, label])),
    }),
  ),
  ...optionalFields(),
});

export type ExpiryTerms = Static<typeof expiryTerms>;

function german(texts: ByLanguage<string>): string {
  return inLanguage(texts, 'de');
}

/** The fields of all kinds. */
function optionalFields(): OptionalFields {
  const fields: TProperties = {};
  for (const [name, field] of entries.flatMap(([, kind]) => Object.entries(kind.fields))) {
    assert.deepEqual(fields[name] ?? field, field, `kinds of expiry share the field ${name}`);
    fields[name] = field;
  }
  const optional = Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)]);
  return Object.fromEntries(optional) as OptionalFields;
}

/** The fields that each type needs, for the OpenAPI document. */
export const expiryRule = {
  anyOf: entries.map(([name, { needs, positive = [] }]) => {
    const fields = Object.fromEntries(positive.map((field) => [field, { type: 'integer', minimum: 1 }]));
    const others = { type: { const: name }, ...fields };
    return needs.length > 0 ? withValues(needs, others) : { properties: others };
  }),
};

/** What the service knows about the type of terms. */
export function expiryKind({ type }: ExpiryTerms): ExpiryKind {
  return kinds[type];
}

/** Like {@link expiryKind}, for a type that this version may not know. */
export function knownExpiryKind(type: unknown): ExpiryKind | undefined {
  return typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type as KindName] : undefined;
}

/** The fields that terms of this type need and these do not have. */
export function missingFields(terms: ExpiryTerms): string[] {
  const values: Readonly<Record<string, unknown>> = terms;
  return expiryKind(terms).needs.filter((field) => values[field] === undefined);
}

/** Tells whether points expire when their member is inactive. */
export function expiresByInactivity(terms: ExpiryTerms | undefined): boolean {
  return knownExpiryKind(terms?.type)?.isByInactivity === true;
}
