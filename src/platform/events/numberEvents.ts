import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { GuardFailed, hasLostRace, inTransaction } from '#base/db/transaction';
import { eventHeadResource } from '#records/events/eventHead';
import { type EventPage, eventPageResource } from '#records/events/eventPage';

/** Most pages that get their numbers in one transaction. */
const pagesMax = 500;

type WaitingPage = Pick<EventPage, '_id' | 'org' | 'size' | 'createdBy'>;

/**
 * Gives the events of all orgs that wait for them their numbers: 1, 2, 3 … in each org, in the order of the commits.
 * Numbers are given in one transaction to what is committed then, so no event appears later with a smaller number. Two
 * processes may do it at once; only one of them gives a number. What a killed one began has no effect.
 * @returns how many events got numbers; what another process is numbering is left to it
 */
export async function numberEvents({ db }: { db: Connection }, now: Date): Promise<number> {
  let numbered = 0;
  for (const org of await waitingOrgs(db)) {
    for (;;) {
      const { events, pages } = await numberSome(db, org, now);
      numbered += events;
      if (pages < pagesMax) break;
    }
  }
  return numbered;
}

/** The orgs with events that wait for numbers. One seek of the index finds each. */
async function waitingOrgs(db: Connection): Promise<ObjectId[]> {
  const pages = collectionOf(db, eventPageResource);
  const orgs: ObjectId[] = [];
  for (;;) {
    const last = orgs.at(-1);
    const left = { waits: true as const, ...(last ? { org: { $gt: last } } : {}) };
    const [next] = await pages
      .find(left, { projection: { org: 1 }, hint: { org: 1, place: 1 } })
      .sort({ org: 1, place: 1 })
      .limit(1)
      .toArray();
    if (!next) return orgs;
    orgs.push(next.org);
  }
}

async function numberSome(db: Connection, org: ObjectId, now: Date): Promise<{ events: number; pages: number }> {
  try {
    return await inTransaction(db, async (session) => {
      const waiting = await waitingPages(db, session, org);
      const events = waiting.reduce((sum, { size }) => sum + size, 0);
      if (events > 0) await giveNumbers(db, session, { org, waiting, events, now });
      return { events, pages: waiting.length };
    });
  } catch (error) {
    // Another process is giving numbers in this org.
    if (hasLostRace(error)) return { events: 0, pages: 0 };
    throw error;
  }
}

function waitingPages(db: Connection, session: ClientSession, org: ObjectId): Promise<WaitingPage[]> {
  return collectionOf(db, eventPageResource)
    .find({ org, waits: true }, { session, projection: { org: 1, size: 1, createdBy: 1 } })
    .sort({ place: 1 })
    .limit(pagesMax)
    .toArray();
}

interface Numbering {
  org: ObjectId;
  waiting: readonly WaitingPage[];
  events: number;
  now: Date;
}

async function giveNumbers(db: Connection, session: ClientSession, { org, waiting, events, now }: Numbering) {
  let last = await moveHead(db, session, { org, waiting, events, now });
  const updates = waiting.map(({ _id, size }) => {
    const first = last + 1;
    last += size;
    return { q: { _id, org, waits: true }, u: { $set: { first, last, numberedAt: now }, $unset: { waits: '' } } };
  });
  const found = await updateAll(db, session, eventPageResource.path, updates);
  if (found !== updates.length) throw new GuardFailed('another process gave numbers meanwhile');
}

/** Moves the number of the org's last event forward, and returns what it was. */
async function moveHead(db: Connection, session: ClientSession, { org, waiting, events, now }: Numbering) {
  const heads = collectionOf(db, eventHeadResource);
  const before = await heads.findOneAndUpdate(
    { _id: org, org },
    { $inc: { last: events }, $set: { updatedAt: now } },
    { session, returnDocument: 'before' },
  );
  if (before) return before.last;
  const userId = waiting[0]?.createdBy ?? org;
  await heads.insertOne({ ...newStamps({ org, userId }, now, org), last: events }, { session });
  return 0;
}
