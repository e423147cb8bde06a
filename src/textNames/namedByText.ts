/** A record that another one names by a text, or by an id within a text. */
export interface NamedByText {
  /** Name of the resource, such as PursePolicy. */
  model: string;
  /** The values that the record must have, by dotted path. */
  fields: Readonly<Record<string, string>>;
  /** The field of the naming record. */
  at: string;
}
