import type { ObjectId } from 'bson';
import { type AcceptServices, acceptSubmissions } from '#activities/inbox/acceptSubmissions';
import { type DueTime, dueTimes } from '#base/calendar/dueTimes';
import { dayMs } from '#base/common/durations';
import { notFound } from '#base/common/errors';
import { eachDespiteFailures } from '#base/common/lists/eachDespiteFailures';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { isDuplicateKey } from '#base/db/transaction';
import { effectiveFault } from '#base/schema/atoms';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { loadProgramCatalog } from '#programs/programs/programCatalog';
import { type OccasionSlot, occasionSlotResource } from '#records/activities/occasionSlot';
import type { Program } from '#records/programs/program';
import { orgResource } from '#records/users/org';
import { occasionPage } from './occasionPage';
import { isEffective, type ProgramSchedule, programSchedules } from './programSchedules';

type DueServices = AcceptServices & Pick<Infrastructure, 'ruleSets'>;

/** How late occasions are still posted when no worker ran at their time: up to a week. */
export const catchUpMs = 7 * dayMs;

/**
 * Posts the occasions of an org that are due: birthdays, anniversaries, points that expire soon, and schedules. The
 * progress of each schedule is stored, so a run continues where a killed one stopped. The key of an occasion ensures
 * that two runs post it once. A schedule that fails, such as one whose segment cannot be read, does not stop the
 * others.
 * @returns how many occasions were handed to the inbox
 * @throws the first failure, after all schedules
 */
export async function postDueOccasions(
  services: DueServices,
  { org, now }: { org: ObjectId; now: Date },
): Promise<{ posted: number }> {
  const { db, ruleSets } = services;
  const owner = await collectionOf(db, orgResource).findOne({ _id: org });
  if (!owner) throw notFound('Org');
  const { ruleSetVersion: version = 0 } = owner;
  const ruleSet = await ruleSets.current(org, owner.ruleSetVersion);
  const schedules = ruleSet ? programSchedules(org, ruleSet) : [];
  // A schedule that comes back later must not post what was due while it was not in force.
  await collectionOf(db, occasionSlotResource).deleteMany({ org, _id: { $nin: schedules.map(({ _id }) => _id) } });
  if (schedules.length === 0) return { posted: 0 };
  const catalog = await loadProgramCatalog(db, org);
  const published = await collectionOf(db, ruleSetResource).findOne(
    { org, version },
    { projection: { publishedAt: 1 } },
  );
  const author = { org, userId: owner.systemUser };
  let posted = 0;
  await eachDespiteFailures(schedules, async (schedule) => {
    const program = catalog.programOf(schedule.program);
    if (!program) return;
    const state = await openProgress(services, author, schedule, published?.publishedAt ?? now);
    posted += await postSchedule({ services, author, schedule, program }, state, now);
  });
  return { posted };
}

interface Posting {
  services: DueServices;
  author: Author;
  schedule: ProgramSchedule;
  program: Program;
}

/** Reads the progress of a schedule. A new schedule begins when its rules were published. */
async function openProgress(
  { db }: DueServices,
  author: Author,
  of: ProgramSchedule,
  since: Date,
): Promise<OccasionSlot> {
  const progress = collectionOf(db, occasionSlotResource);
  const known = await progress.findOne({ _id: of._id, org: author.org });
  if (known) return known;
  const { _id, program, type, schedule } = of;
  const made: OccasionSlot = { ...newStamps(author, since, _id), program, type, schedule, doneUntil: since };
  try {
    await progress.insertOne(made);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return made;
}

async function postSchedule(posting: Posting, state: OccasionSlot, now: Date): Promise<number> {
  const { schedule, program } = posting;
  const from = new Date(Math.max(state.doneUntil.getTime(), now.getTime() - catchUpMs));
  let posted = 0;
  for (const due of dueTimes(schedule.pattern, from, now, program.timezone)) {
    const isProgramActive = program.status === 'Active' && effectiveFault(program.effective, due.at) === undefined;
    const after = state.due?.getTime() === due.at.getTime() ? state.after : undefined;
    if (isProgramActive && isEffective(schedule, due.at)) posted += await postAll(posting, due, after);
    const progress = { $set: { doneUntil: due.at, updatedAt: now }, $unset: { due: '' as const, after: '' as const } };
    await noteProgress(posting, due, progress);
  }
  return posted;
}

/** Posts the occasions of one instant, page by page, in the order of member ids. */
async function postAll(posting: Posting, due: DueTime, startAfter: ObjectId | undefined): Promise<number> {
  const { services, author } = posting;
  let posted = 0;
  let after = startAfter;
  for (;;) {
    const { accepted, last } = await occasionPage(services.db, author.org, posting, due, after);
    await acceptSubmissions(services, author, accepted);
    posted += accepted.length;
    if (!last) return posted;
    after = last;
    await noteProgress(posting, due, { $set: { due: due.at, after } });
  }
}

/** Notes the progress of a schedule, unless another run has passed this instant already. */
async function noteProgress(
  { services: { db }, author: { org }, schedule: { _id } }: Posting,
  { at }: DueTime,
  update: object,
) {
  await collectionOf(db, occasionSlotResource).updateOne({ _id, org, doneUntil: { $lt: at } }, update);
}
