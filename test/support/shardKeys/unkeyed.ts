import type { MissedKey } from './missedKeys';

/** What the service sends without a shard key, and why it may. */
interface Reviewed {
  /** The file that sends it, or a folder of such files. */
  source: string;
  /** What it sends; absent: whatever it sends. */
  sent?: string;
  reason: string;
}

const scrape = 'A scrape of the metrics counts over all orgs, at most once in a few seconds.';
const poll = 'A worker looks for work of all orgs at once.';
const operator = 'An operator runs it over all orgs.';

/** Everything that was reviewed. No activity and no read of a client waits for any of it. */
export const reviewed: readonly Reviewed[] = [
  { source: 'src/base/db/leases/claimedRuns.ts', sent: 'find in imports by status', reason: poll },
  { source: 'src/base/db/leases/claimedRuns.ts', sent: 'find in simulations by status', reason: poll },
  { source: 'src/base/db/leases/claimedRuns.ts', sent: 'find in imports by _id, status', reason: operator },
  { source: 'src/commands/import.ts', reason: operator },
  { source: 'src/exchange/imports/file/receiveFile.ts', sent: 'find in importuploads by nothing', reason: poll },
  { source: 'src/activities/inbox/inboxDrain.ts', sent: 'find in submissions by partition, status', reason: poll },
  { source: 'src/exchange/webhooks/deliver/findDue.ts', sent: 'find in webhookstates by nothing', reason: poll },
  { source: 'src/platform/events/numberEvents.ts', sent: 'find in eventpages by waits', reason: poll },
  { source: 'src/activities/inbox/inboxGauges.ts', reason: scrape },
  { source: 'src/exchange/webhooks/webhookGauges.ts', reason: scrape },
  { source: 'src/members/aggregates/rollUp/rollUpGauges.ts', reason: scrape },
  { source: 'src/publishing/rulesets/ruleGauges.ts', reason: scrape },
  { source: 'src/commands/reconcile.ts', reason: operator },
  { source: 'src/members/reconcile/reconcile.ts', sent: 'distinct in members by nothing', reason: operator },
  { source: 'src/operations/backup/', reason: operator },
  { source: 'src/operations/migrations/', reason: operator },
  {
    source: 'src/platform/audit/adoptOldEntries.ts',
    reason: 'A migration empties a collection of an earlier version.',
  },
  { source: 'src/commands/doctor/', reason: operator },
  {
    source: 'src/operations/sandbox/deleteRecords.ts',
    sent: 'find in leases by org',
    reason: 'Wiping a sandbox looks in every collection; leases have no org, and end by themselves.',
  },
  { source: 'src/base/db/prepareCollections.ts', reason: 'A start asks how large a collection is.' },
];

/** Says in a line what was sent. */
export function sentLine({ collection, operation, named }: MissedKey): string {
  return `${operation} in ${collection} by ${named.join(', ') || 'nothing'}`;
}

/** Tells whether somebody has reviewed that this file sends this. */
export function isReviewed(missed: MissedKey, source: string): boolean {
  const line = sentLine(missed);
  return reviewed.some((each) => source.startsWith(each.source) && (each.sent ?? line) === line);
}
