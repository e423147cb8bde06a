import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from 'bson';
import { postDueOccasions } from '#activities/dueOccasions/postDueOccasions';
import type { InboxDrain } from '#activities/inbox/inboxDrain';
import { elapsedMs } from '#base/common/clock';
import { unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Queues } from '#base/queues/queues';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { announceExpiring } from '#members/memberState/announceExpiring';
import { sweepDue } from '#members/memberState/sweepDue';
import { runFollowUps } from '#members/members/runFollowUps';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { adoptScheduled } from '#publishing/rulesets/adoptScheduled';
import { submissionResource } from '#records/activities/submission';

/** What running due work needs; the clock is the org's. */
export type DueServices = Pick<Infrastructure, 'db' | 'clock' | 'config' | 'ruleSets'> & { queues: Queues };

/** The most rounds at one point in time: work that is due may make more work due. */
const roundsMax = 100;

/** How long queued activities of the org may take, which other workers may be processing. */
const drainMaxMs = 20_000;
const drainPollMs = 20;

/**
 * Does everything of an org that is due at an instant, as its timers would: rules that come into force, releases,
 * expiry, tiers, occasions and what they earn, and the sums.
 * @throws ServiceError 1310 when queued activities are not processed in time; the first failure of what is due
 */
export async function runDue(services: DueServices, drain: InboxDrain, org: ObjectId, now: Date): Promise<void> {
  const { db } = services;
  await adoptScheduled(services, { org, now });
  for (let round = 0; round < roundsMax; round += 1) {
    const { members } = await sweepDue(services, { org, now });
    const { posted } = await postDueOccasions(services, { org, now });
    const drained = await drainOrg(services, drain, org);
    if (members + posted + drained === 0) break;
  }
  await announceExpiring(services, { org, now });
  for (let round = 0; round < roundsMax; round += 1) {
    const moved = await runFollowUps(db, org, now);
    const { events, days, members } = await rollUp({ db }, { org, now });
    if (events + days + members + Object.values(moved).reduce((sum, count) => sum + count, 0) === 0) break;
  }
}

async function drainOrg({ db, queues }: DueServices, drain: InboxDrain, org: ObjectId): Promise<number> {
  const queued = () => collectionOf(db, submissionResource).countDocuments({ status: 'Queued', org });
  const first = await queued();
  const endsAt = elapsedMs() + drainMaxMs;
  for (let left = first; left > 0; left = await queued()) {
    if (elapsedMs() > endsAt) throw unavailable(message('sandbox.unprocessed', { left }));
    queues.wakeInbox();
    await drain.drain();
    await sleep(drainPollMs);
  }
  return first;
}
