import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { notFound } from '#base/common/errors';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf, insertAll } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { hasLostRace, inTransaction, withRetries } from '#base/db/transaction';
import { lotExpiry } from '#engine/points/lots/lotParts';
import { writeEvents } from '#platform/events/writeEvents';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { StoredEvent } from '#records/events/event';
import { type Member, memberResource } from '#records/members/member';
import { expiryNoticeResource } from '#records/points/expiryNotice';
import type { Lot } from '#records/points/lot';
import { orgResource } from '#records/users/org';
import { loadLiveLots } from './readMember';

type AnnounceServices = Pick<Infrastructure, 'db' | 'clock' | 'config'>;

/** Members that are processed together. */
const pageSize = 100;

type Owner = Pick<Member, '_id' | 'program' | 'purses'>;

/** An accrual item whose points expire soon. */
interface Expiring {
  owner: Owner;
  lot: Lot;
  points: number;
  expiresOn: Date;
  notice: ObjectId;
}

/**
 * Stores events of the points that expire within `EXPIRING_DAYS` days: each accrual item once for each date of expiry.
 * Its only state is the stored notices, so two runs may work at once and the next one continues a killed one.
 * @returns how many events were stored
 */
export async function announceExpiring(
  services: AnnounceServices,
  { org, now }: { org: ObjectId; now: Date },
): Promise<{ expiring: number }> {
  const { db, config } = services;
  const days = config.EXPIRING_DAYS;
  if (days === 0) return { expiring: 0 };
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) throw notFound('Org');
  const horizon = { org, author: { org, userId: owner.systemUser }, now, days };
  let expiring = 0;
  let page: Owner[] = [];
  const members = collectionOf(db, memberResource)
    .find({ org, nextDue: { $lte: horizonEnd(horizon) }, status: { $nin: ['Merged', 'Erased'] } })
    .project<Owner>({ program: 1, purses: 1 })
    .batchSize(pageSize);
  for await (const member of eachYielding(members)) {
    // The cursor may return a member twice when its `nextDue` changes meanwhile.
    if (!page.some(({ _id }) => _id.equals(member._id))) page.push(member);
    if (page.length < pageSize) continue;
    expiring += await announcePage(services, horizon, page);
    page = [];
  }
  return { expiring: expiring + (await announcePage(services, horizon, page)) };
}

/** The instant of a run, and how many days ahead it looks. */
interface Horizon {
  org: ObjectId;
  author: Author;
  now: Date;
  days: number;
}

function horizonEnd({ now, days }: Horizon): Date {
  return new Date(now.getTime() + days * dayMs);
}

function announcePage({ db, clock }: AnnounceServices, horizon: Horizon, page: readonly Owner[]): Promise<number> {
  if (page.length === 0) return Promise.resolve(0);
  const { org, author, now } = horizon;
  const attempt = async () => {
    const ids = page.map(({ _id }) => _id);
    const lots = await loadLiveLots(db, org, ids);
    const found = page.flatMap((owner) => expiringItems(owner, lots.get(owner._id.toHexString()) ?? [], horizon));
    const notices = found.map(({ notice }) => notice);
    const existing = await collectionOf(db, expiryNoticeResource)
      .find({ org, _id: { $in: notices } }, { projection: { _id: 1 } })
      .toArray();
    const known = new Set(existing.map(({ _id }) => _id.toHexString()));
    const left = found.filter(({ notice }) => !known.has(notice.toHexString()));
    if (left.length === 0) return 0;
    const events = expiringEvents(left, horizon);
    const rows = left.map(({ notice, expiresOn }) => ({ ...newStamps(author, now, notice), expiresOn }));
    await inTransaction(db, async (session) => {
      await insertAll(db, session, expiryNoticeResource.path, rows);
      await writeEvents(db, session, author, now, events);
    });
    return events.length;
  };
  return withRetries(attempt, {
    now: () => clock.now().getTime(),
    // Another run stored some of the notices in the meantime.
    isWorthRetrying: hasLostRace,
  });
}

function expiringItems(owner: Owner, lots: readonly Lot[], horizon: Horizon): Expiring[] {
  const { now, days } = horizon;
  return lots.flatMap((lot): Expiring[] => {
    const purse = owner.purses.find(({ policyId }) => policyId.equals(lot.purse));
    const expiresOn = lotExpiry(lot, purse?.inactiveOn);
    if (!expiresOn || expiresOn <= now || expiresOn > horizonEnd(horizon)) return [];
    // Points in escrow count when they are released before the expiry.
    const points = lot.availablePoints + (lot.dtEscrowsOn <= expiresOn ? lot.escrowedPoints : 0);
    const notice = derivedId('expiring', lot._id, days, expiresOn.getTime());
    return points > 0 ? [{ owner, lot, points, expiresOn, notice }] : [];
  });
}

/** One event for each member, purse and date. */
function expiringEvents(found: readonly Expiring[], { days: daysBefore }: Horizon): StoredEvent[] {
  const groups = groupBy(
    found,
    ({ owner, lot, expiresOn }) => `${owner._id.toHexString()} ${lot.purse.toHexString()} ${expiresOn.getTime()}`,
  );
  return [...groups.values()].flatMap((group): StoredEvent[] => {
    const [first] = group;
    if (!first) return [];
    const { owner, lot, expiresOn } = first;
    const points = group.reduce((sum, each) => sum + each.points, 0);
    const data = { purse: lot.purseName, purseId: lot.purse, points, expiresOn, daysBefore, items: group.length };
    return [{ type: 'points.expiring', program: owner.program, member: owner._id, data }];
  });
}
