import type { Migration } from './migration';

/** Collections of early versions that nothing reads: leases of members and of parts of the inbox, under old names. */
const unused = ['turns', 'lanes'];

/** Removes collections that only early versions used. */
export const dropUnused: Migration = {
  number: 3,
  name: 'unused collections are removed',
  async up(db) {
    const names = new Set((await db.listCollections()).map(({ name }) => name));
    for (const name of unused.filter((each) => names.has(each))) await db.dropCollection(name);
  },
};
