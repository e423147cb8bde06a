/** A record as it is answered: plain, without hidden fields, perhaps with selected fields only. */
export type Found = Record<string, unknown>;
