/**
 * Options of a read that also sees commits that are not yet durable. A check inside a transaction that excludes others
 * must see the transaction that committed just before.
 */
export const readLocal = { readConcern: { level: 'local' } } as const;
