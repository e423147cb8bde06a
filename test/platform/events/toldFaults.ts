import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { memberResource } from '#records/members/member';
import type { World } from '../../support/world';
import type { ReadEvent } from './following';

const fresh = { readConcern: { level: 'local' } } as const;

/**
 * Compares all events of a world, from the first one on, with what is stored: purses, histories and the order of the
 * journal. It adds up on its own.
 * @returns what does not agree
 */
export async function toldFaults(world: World, events: readonly ReadEvent[]): Promise<string[]> {
  return [...orderFaults(events), ...(await purseFaults(world, events)), ...(await historyFaults(world, events))];
}

/** The ids of an org have no gap. Each member's events follow its journal, entry by entry. */
function orderFaults(events: readonly ReadEvent[]): string[] {
  const faults: string[] = [];
  const seqs = new Map<string, number>();
  for (const [index, { id, type, member, data }] of events.entries()) {
    if (Number(id) !== index + 1) faults.push(`event ${index + 1} has the id ${id}`);
    if (!type.startsWith('points.') || type === 'points.expiring') continue;
    const from = Number(data.seq) - Number(data.entries);
    if (from !== (seqs.get(member ?? '') ?? 0)) faults.push(`${type} ${id} does not follow the journal of ${member}`);
    seqs.set(member ?? '', Number(data.seq));
  }
  return faults;
}

async function purseFaults({ services, author: { org } }: World, events: readonly ReadEvent[]): Promise<string[]> {
  const sums = new Map<string, number>();
  const afters = new Map<string, unknown>();
  for (const { type, member, data } of events) {
    if (!type.startsWith('points.') || type === 'points.expiring') continue;
    const key = `${member} ${data.purseId}`;
    sums.set(key, (sums.get(key) ?? 0) + Number(data.points));
    afters.set(key, [data.balanceAfter, data.availAfter]);
  }
  const members = await collectionOf(services.db, memberResource).find({ org }, fresh).toArray();
  return members.flatMap(({ _id, purses }) =>
    purses.flatMap(({ policyId, balance, availBalance }) => {
      const key = `${_id} ${policyId}`;
      const actual = [sums.get(key) ?? 0, afters.get(key) ?? [0, 0]];
      const current = [balance, [balance, availBalance]];
      return JSON.stringify(actual) === JSON.stringify(current)
        ? []
        : [`purse ${key}: told ${JSON.stringify(actual)}, held ${JSON.stringify(current)}`];
    }),
  );
}

/** Each history has one event, and each cancellation one more. */
async function historyFaults({ services, author: { org } }: World, events: readonly ReadEvent[]): Promise<string[]> {
  const histories = await collectionOf(services.db, activityHistoryResource).find({ org }, fresh).toArray();
  const due = histories.flatMap(({ _id, status, type, originalTxnId }) => {
    const own = `${status === 'Error' ? 'activity.failed' : 'activity.processed'} ${_id}`;
    return type === 'Cancellation' ? [own, `activity.cancelled ${originalTxnId} by ${_id}`] : [own];
  });
  const actual = events.flatMap(({ type, member, data }) => {
    if (!type.startsWith('activity.') || member === null) return [];
    return [`${type} ${data.activity}${type === 'activity.cancelled' ? ` by ${data.cancellation}` : ''}`];
  });
  const [missing, extra] = [without(due, actual), without(actual, due)];
  return [...missing.map((each) => `not told: ${each}`), ...extra.map((each) => `told without cause: ${each}`)];
}

/** The elements of a list that another list does not have as often. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1);
  return all.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}
