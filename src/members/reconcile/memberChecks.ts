import { tierFaults } from '#engine/tiers/tierFaults';
import type { JournalEntry } from '#records/points/journalEntry';
import { activityFaults } from './activityFaults';
import { ledgerFaults } from './checkInvariants';
import { levelFaults } from './levelFaults';
import type { MemberRecords } from './memberRecords';
import { metricFaults } from './metricFaults';
import { periodFaults } from './periodFaults';
import { rewardFaults } from './rewardFaults';

/** A check of all that is stored of one member. It returns the faults as sentences. */
type MemberCheck = (records: MemberRecords) => string[];

/** All checks of a member. */
const memberChecks: readonly MemberCheck[] = [
  (records) => ledgerFaults({ ...records, purses: records.member.purses }),
  (records) => tierFaults({ ...records, policies: records.tierPolicies, lookedAt: lookedAt(records.entries) }),
  levelFaults,
  activityFaults,
  metricFaults,
  periodFaults,
  rewardFaults,
];

/** The faults of a member, as sentences. */
export function memberFaults(records: MemberRecords): string[] {
  return memberChecks.flatMap((check) => check(records));
}

/** When an activity last settled the tiers. The commit of an activity that awards or burns points settles them too. */
function lookedAt(entries: readonly JournalEntry[]): Date | undefined {
  return entries.findLast(({ kind, activity }) => activity && (kind === 'accrue' || kind === 'burn'))?.at;
}
