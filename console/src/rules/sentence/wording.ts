/** What the words of a sentence are made with. */
export interface Wording {
  translate(key: string, options?: Record<string, unknown>): string;
  locale: string;
  /** The zone in which instants are said. */
  zone: string;
  /** What a fact is called. */
  factLabel(fact: Readonly<Record<string, unknown>>): string;
  /** The words of its operator, such as `is at least`. */
  operatorLabel(comparison: Readonly<Record<string, unknown>>): string;
  /** The word for a value of the service, such as a type of activity. */
  choiceLabel(value: string): string;
}
