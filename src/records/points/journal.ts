import { defineResource } from '#base/schema/resource';
import { createCountAll } from '#records/aggregates/countAll';
import { couponIndexes } from './couponIndexes';
import { journalFields } from './journalEntry';

/** The journal: append-only. All balances can be rebuilt from the journal alone. */
export const journalResource = defineResource({
  name: 'JournalEntry',
  path: 'journal',
  access: 'ledger',
  tag: 'Points and tiers',
  fields: journalFields,
  countAll: createCountAll('journal'),
  indexes: [
    // A store of an earlier version keeps (member, seq) unique until the job `indexes` has made this one.
    { keys: { org: 1, member: 1, seq: 1 }, unique: true, isNeeded: false },
    { keys: { org: 1, activity: 1 } },
    ...couponIndexes,
  ],
});
