/** A record in the form of an answer: a plain object without hidden fields, with the selected fields only. */
export type Found = Record<string, unknown>;
