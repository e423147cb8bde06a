import type { Static, TObject, TProperties } from '@sinclair/typebox';
import type { Message } from '#base/common/messages/message';
import type { ByLanguage } from '#base/words/language';

/** Everything the service knows about one way in which points expire. */
interface KindSource<F extends TProperties, Needed extends keyof F & string, Terms> {
  /** Its name in forms. */
  label: ByLanguage<string>;
  /** When the points expire, after its name in the documentation and after its label in forms. */
  description: ByLanguage<string>;
  /** The fields that terms of this kind have. Kinds may share a field; then it has the same schema in all of them. */
  fields: F;
  /** The fields that terms must have. */
  needs: readonly Needed[];
  /** The fields that must not be 0. */
  positive?: readonly (keyof F & string)[];
  /** What else is wrong with the terms, by field, when they have what they need. */
  faults?(terms: Terms): readonly (Message & { path: keyof F & string; kind: string })[];
  /**
   * When points expire that joined the balance at `from`, in the program's time zone. Absent: they have no date of
   * their own.
   */
  date?(from: Date, terms: Terms, timezone: string): Date;
  /**
   * True when the points of a purse expire together, after their member has been inactive for `value`, `unit` and
   * `snap`.
   */
  isByInactivity?: true;
  /** The terms in words. Another version of the service may have written the terms. */
  words: ByLanguage<Phrase<Terms>['say']>;
}

/** Declared as a method, whose parameter may be narrower, so that kinds with different fields are of one type. */
interface Phrase<Terms> {
  say(terms: Terms): string;
}

/** A kind whose fields are known only at run time. Callers check the terms before they call its functions. */
export type ExpiryKind = KindSource<TProperties, string, Readonly<Record<string, unknown>>>;

/** Makes a kind. Its functions are given terms with the fields that it needs; others may be absent. */
export function defineExpiryKind<F extends TProperties, const Needed extends keyof F & string = never>(
  kind: KindSource<F, Needed, Partial<Static<TObject<F>>> & Static<TObject<Pick<F, Needed>>>>,
) {
  return kind;
}
