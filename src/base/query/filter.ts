/**
 * A parsed filter that can be given to MongoDB: a new object with only allowed fields and operators, and with cast
 * values.
 */
export type Filter = Record<string, unknown>;
