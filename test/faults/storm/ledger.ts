import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../support/client';

interface Lot {
  _id: string;
  member: string;
  activity?: string;
  purseName: string;
  accruedPoints: number;
  escrowedPoints: number;
  availablePoints: number;
  burnedPoints: number;
  expiredPoints: number;
  reversedPoints: number;
}

interface Entry {
  member: string;
  seq: number;
  points: number;
}

interface ShownEvent {
  id: string;
  type: string;
  member: string | null;
  data: { points?: number; activity?: string };
}

/** All that clients can read about points. */
export interface Ledger {
  lots: readonly Lot[];
  entries: readonly Entry[];
  events: readonly ShownEvent[];
}

/** Reads it by exports and by following the events, until as many events are there as there are activities. */
export async function readLedger(admin: Client, activities: readonly string[]): Promise<Ledger> {
  const exported = async <T>(kind: string): Promise<T[]> => {
    const { body } = await admin.get(`/exports?kind=${kind}&format=ndjson`);
    const lines = String(body).trim().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  };
  const [lots, entries] = await Promise.all([exported<Lot>('accrualitems'), exported<Entry>('journal')]);
  let events: ShownEvent[] = [];
  // Workers give events their numbers within about a second.
  for (let tries = 0; tries < 60; tries += 1) {
    events = await followEvents(admin);
    const told = new Set(events.filter(({ type }) => type === 'activity.processed').map(({ data }) => data.activity));
    if (activities.every((id) => told.has(id))) break;
    await sleep(1000);
  }
  return { lots, entries, events };
}

async function followEvents(admin: Client): Promise<ShownEvent[]> {
  const events: ShownEvent[] = [];
  let after = '';
  for (;;) {
    const { body } = await admin.get(`/events?limit=1000${after === '' ? '' : `&after=${after}`}`);
    events.push(...body.events);
    if (body.next === after || body.events.length === 0) return events;
    after = body.next;
  }
}

/**
 * Compares the points of members, over all their purses, with what each of the lists adds up to.
 * @param activities the ids of those that were processed
 * @returns a sentence for each difference
 */
export function ledgerFaults(
  { lots, entries, events }: Ledger,
  balances: ReadonlyMap<string, number>,
  activities: readonly string[],
): string[] {
  const faults: string[] = [];
  for (const lot of lots) {
    const parts = lot.availablePoints + lot.burnedPoints + lot.expiredPoints + lot.reversedPoints;
    if (lot.accruedPoints !== lot.escrowedPoints + parts) faults.push(`item ${lot._id} is not the sum of its parts`);
  }
  for (const [member, balance] of balances) {
    const own = <T extends { member: string | null }>(list: readonly T[]) =>
      list.filter((each) => each.member === member);
    const left = sum(own(lots).map(({ availablePoints, escrowedPoints }) => availablePoints + escrowedPoints));
    const written = sum(own(entries).map(({ points }) => points));
    const told = sum(own(events).map(({ data }) => data.points ?? 0));
    if (left !== balance) faults.push(`${member} has ${balance} points, and items of ${left}`);
    if (written !== balance) faults.push(`${member} has ${balance} points, and journal entries of ${written}`);
    if (told !== balance) faults.push(`${member} has ${balance} points, and events of ${told}`);
    const numbers = own(entries).map(({ seq }) => seq);
    if (Math.max(0, ...numbers) !== new Set(numbers).size) faults.push(`the journal of ${member} has gaps`);
  }
  const times = new Map<string | undefined, number>();
  for (const { type, data } of events) {
    if (type === 'activity.processed') times.set(data.activity, (times.get(data.activity) ?? 0) + 1);
  }
  for (const id of activities) if (times.get(id) !== 1) faults.push(`activity ${id} has ${times.get(id)} events`);
  return faults;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** The points of the campaign that each activity was given. */
export function bonusesOf(lots: readonly Lot[]): Map<string, number> {
  const own = lots.filter(({ purseName }) => purseName === 'Bonus');
  return new Map(own.map(({ activity = '', accruedPoints }) => [activity, accruedPoints]));
}
