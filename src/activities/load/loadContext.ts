import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { BatchContext } from '#activities/state/batchContext';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { byForm, toCodeKey } from '#base/schema/findable';
import type { Evaluator } from '#engine/rules/evaluate/evaluator';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { openMembers } from '#members/memberState/memberState';
import type { WantedOccasions } from '#members/occasions/wantedOccasions';
import { loadTierSums, type TierScope } from '#members/tiers/loadTierSums';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { closedSandbox } from '#platform/orgs/closedSandbox';
import { orgTime } from '#platform/orgs/orgClock';
import { freshVersions, type OrgVersions, readOrgVersions } from '#platform/orgs/orgVersions';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import type { ActivityHistory } from '#records/activities/activityHistory';
import { hasFreeKey, type Submission } from '#records/activities/submission';
import type { Member } from '#records/members/member';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { BatchScope } from './batchScope';
import {
  causeIds,
  findUnmetConditions,
  finishedHistoryIds,
  loadArchived,
  loadHistories,
  loadKeys,
  originalIds,
} from './loadEarlier';
import { loadEffective } from './loadEffective';
import { loadForRules } from './loadForRules';
import { loadLots } from './loadLots';
import { loadNamedMembers, loadReferrers, memberFinder, withHistoryMembers, withRelated } from './loadMembers';
import { completeNamed, loadIssued, loadNamed } from './loadNamed';
import type { CounterReader } from './loadUsage';

type LoadServices = Pick<Infrastructure, 'db' | 'resources' | 'extDefinitions' | 'ruleSets' | 'clock'> & {
  programCatalogs: ProgramCatalogs;
  evaluator: Evaluator;
};

/**
 * Reads everything that a batch of one org needs for its decisions, in a few rounds of parallel queries. The decisions
 * then do no I/O.
 * @throws ServiceError 1310 in a sandbox that is being emptied
 */
export async function loadContext(
  services: LoadServices,
  org: ObjectId,
  requests: readonly PipelineRequest[],
  options: LoadOptions = {},
): Promise<BatchContext> {
  const resolved = await resolveScope(services, org, requests, options);
  const { scope, versions, keys, histories, archived, causes, referrers, issued, unmetConditions } = resolved;
  const { submissions, archivedKeys } = keys;
  const { ruleSetVersion, unpublishedFolders = [] } = versions;
  const { members, named, ruleSet, catalog, now } = scope;
  const [lots, forRules, sums, effective] = await Promise.all([
    loadLots(services.db, scope),
    loadForRules(services, scope, options.readCounters ?? ((_ids, read) => read())),
    isTiered(scope) ? loadTierSums(services.db, { ...scope, ...tierDates(scope) }) : new Map(),
    scope.originals.length > 0 ? loadEffective(services.db, scope) : new Map(),
  ]);
  const wanted: WantedOccasions = (program) => ruleSet?.occasionsOf(program);
  return {
    org,
    now,
    wanted,
    ruleSet,
    ruleSetVersion,
    unpublishedFolders,
    evaluator: services.evaluator,
    named,
    members: openMembers(members, catalog, { lots, sums }, now, wanted),
    memberByLoyaltyId: byLoyaltyId(members),
    submissions: byKey(submissions.filter((each) => !hasFreeKey(each))),
    replaceable: byKey(submissions.filter(hasFreeKey)),
    unmetConditions,
    effective,
    archived,
    archivedKeys,
    histories: new Map([...causes, ...histories].map((history) => [history._id.toHexString(), history])),
    memberByReferralCode: new Map(referrers.map((doc) => [toCodeKey(doc.referralCode), doc._id.toHexString()])),
    issued: new Map(issued.map((reward) => [reward._id.toHexString(), reward])),
    ...forRules,
  };
}

function byKey(submissions: readonly Submission[]): Map<string, Submission> {
  return byForm(submissions.map((submission) => [submission.key, submission]));
}

interface LoadOptions {
  /** The instant of the decisions; absent: now, by the clock of the org. */
  asOf?: Date | undefined;
  /** Versions of the org that requests read before; when they are missing or old, they are read again. */
  versionsRead?: readonly (OrgVersions | undefined)[] | undefined;
  /** Absent: counters are read at once. */
  readCounters?: CounterReader;
}

/**
 * The first rounds of queries: reads what the requests name, and finds their members and rules. These decide what else
 * to read.
 */
async function resolveScope(
  services: LoadServices,
  org: ObjectId,
  requests: readonly PipelineRequest[],
  options: LoadOptions,
) {
  const { db } = services;
  const [{ versions, now }, keys, cancelled, causes, byName, referrers, byRequests, unmetConditions] =
    await Promise.all([
      versionsAt(services, org, options),
      loadKeys(db, org, requests),
      loadHistories(db, org, originalIds(requests)),
      loadHistories(db, org, causeIds(requests)),
      loadNamedMembers(db, org, requests),
      loadReferrers(db, org, requests),
      loadNamed(db, org, requests),
      findUnmetConditions(db, org, requests),
    ]);
  const returned = await loadReturned(db, org, cancelled);
  const originals = [...cancelled, ...(await loadRecalling(db, org, returned))];
  const finished = finishedHistoryIds(keys.submissions);
  const histories = [...originals, ...(await loadHistories(db, org, finished))];
  const archived = await loadArchived(db, org, [...originalIds(requests), ...finished], histories);
  const found = await withHistoryMembers(db, org, histories, [...byName, ...referrers]);
  const cached = await cachedDefinitions(services, org, versions);
  const memberOf = cachePerRequest(memberFinder({ members: found, originals }));
  const rulesOf = cachePerRequest((request) => rulesFor(cached.ruleSet, request, memberOf(request)));
  const partialScope = { org, now, requests, members: found, originals, memberOf, rulesOf, ...cached };
  const members = await withRelated(db, partialScope);
  const named = await completeNamed(services, partialScope, byRequests);
  const scope: BatchScope = { ...partialScope, members, named };
  const issued = [...byRequests.issued, ...returned];
  return { scope, versions, keys, histories, archived, causes, referrers, issued, unmetConditions };
}

/**
 * The versions of an org, and the time of the batch. Scheduled rules that are due come into force first. The time of a
 * dry run may be later than the clock; that does not put rules into force.
 */
async function versionsAt(
  { db, ruleSets, clock }: Pick<LoadServices, 'db' | 'ruleSets' | 'clock'>,
  org: ObjectId,
  { asOf, versionsRead = [] }: LoadOptions,
): Promise<{ versions: OrgVersions; now: Date }> {
  const readAt = clock.now();
  const versions = freshVersions(versionsRead, readAt) ?? (await readOrgVersions(db, org, readAt));
  if (versions.isClosed) throw closedSandbox();
  const current = asOf ? readAt : orgTime(readAt, versions);
  const now = asOf ?? current;
  const { nextRulesFrom: from } = versions;
  if (!from || from > now || from > current) return { versions, now };
  await ruleSets.adopt(org, now);
  return { versions: await readOrgVersions(db, org, readAt), now };
}

/** Caches a result for each request, because every loader asks for it. */
function cachePerRequest<T>(find: (request: PipelineRequest) => T): (request: PipelineRequest) => T {
  const found = new Map<PipelineRequest, T>();
  return (request) => {
    const known = found.get(request);
    if (known !== undefined) return known;
    const made = find(request);
    found.set(request, made);
    return made;
  };
}

function rulesFor(ruleSet: RuleSet | undefined, { activity }: PipelineRequest, member: Member | undefined) {
  return member && ruleSet?.forActivity(member.program, activity.type);
}

/** The rule set and definitions of an org, cached by their versions. */
async function cachedDefinitions(
  { ruleSets, programCatalogs }: Pick<LoadServices, 'ruleSets' | 'programCatalogs'>,
  org: ObjectId,
  { ruleSetVersion, definitionsVersion }: OrgVersions,
): Promise<Pick<BatchScope, 'ruleSet' | 'catalog' | 'definitionsVersion'>> {
  const [ruleSet, catalog] = await Promise.all([
    ruleSets.current(org, ruleSetVersion),
    programCatalogs.current(org, definitionsVersion),
  ]);
  return { ruleSet, catalog, definitionsVersion };
}

function byLoyaltyId(members: readonly Member[]): Map<string, string> {
  return byForm(members.flatMap((doc) => doc.loyaltyIDs.map((id) => [id, doc._id.toHexString()] as const)));
}

/** Tells whether a program of the batch has tiers. */
function isTiered({ members, catalog }: BatchScope): boolean {
  return members.some(({ program }) => catalog.tierPoliciesOf(program).length > 0);
}

/** The dates for which tiers need sums. A cancellation may change all members of its batch. */
function tierDates({ requests, members }: BatchScope): Pick<TierScope, 'cancelling' | 'dates'> {
  const isCancelling = requests.some(({ cancel }) => cancel);
  const cancelling = new Set(isCancelling ? members.map(({ _id }) => _id.toHexString()) : []);
  return { cancelling, dates: requests.map(({ activity }) => activity.date) };
}

/**
 * The issued rewards that the originals of cancellations issued or used. When such a reward is withdrawn after its use,
 * the choice by which it was taken is available again, so these choices are read too.
 */
async function loadReturned(db: Connection, org: ObjectId, originals: readonly ActivityHistory[]) {
  const ids = originals.flatMap(({ effects }) => effects?.rewards?.map(({ id }) => id) ?? []);
  const returned = await loadIssued(db, org, { _id: { $in: ids } }, ids);
  const choices = returned.flatMap(({ isRecalled, choiceOf }) => (isRecalled && choiceOf) || []);
  return [...returned, ...(await loadIssued(db, org, { _id: { $in: choices } }, choices))];
}

/**
 * The activities that issued rewards and were cancelled after the rewards had been used. The cost of such a reward is
 * returned together with its use.
 */
function loadRecalling(db: Connection, org: ObjectId, rewards: readonly IssuedReward[]) {
  const recalled = rewards.filter(({ isRecalled }) => isRecalled);
  return loadHistories(
    db,
    org,
    recalled.flatMap(({ activity }) => activity ?? []),
  );
}
