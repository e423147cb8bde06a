/**
 * Options of a read that sees what is committed but not yet durable: a check made while a transaction holds others off
 * must see the one that committed just before it.
 */
export const latest = { readConcern: { level: 'local' } } as const;
