import { clearTombstones } from './clearTombstones';
import { dropUnused } from './dropUnused';
import { fillKeys } from './fillKeys';
import { fillSearchKeys } from './fillSearchKeys';
import type { Migration } from './migration';
import { moveAuditEntries } from './moveAuditEntries';
import { moveLanes } from './moveLanes';

/** Every migration, in order. A new one goes to the end, with the next number. */
export const migrations: readonly Migration[] = [
  moveLanes,
  fillSearchKeys,
  dropUnused,
  moveAuditEntries,
  fillKeys,
  clearTombstones,
];
