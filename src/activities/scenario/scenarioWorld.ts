import { ObjectId } from 'bson';
import type { Plan } from '#activities/commit/plan';
import { decideBatch } from '#activities/decide/decideBatch';
import type { BatchContext, BatchSegments } from '#activities/state/batchContext';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { WindowCounters } from '#activities/state/windowCounters';
import { type Author, derivedId } from '#base/db/records';
import type { Language } from '#base/words/language';
import { activeTypes } from '#engine/points/ledger/expiry';
import type { ProgramRecords } from '#engine/rules/format/ruleReferences';
import type { WindowUse } from '#engine/rules/format/windowUses';
import type { TestRun } from '#engine/rules/ruleTests/runTest';
import { testLists } from '#engine/rules/ruleTests/testLists';
import { testDate } from '#engine/rules/scenario/testDate';
import type { WindowValues } from '#engine/sums/windowSums';
import type { WantedOccasions } from '#members/occasions/wantedOccasions';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import type { IssuedReward } from '#records/offers/issuedReward';
import { scenarioHead, scenarioMember, segmentId } from './scenarioMember';
import { ScenarioPerson } from './scenarioPerson';
import { scenarioRecords } from './scenarioRecords';
import { ScenarioSums } from './scenarioSums';

const author: Author = { org: derivedId('scenario org'), userId: derivedId('scenario user') };

/** The version of the rule set of every scenario. */
const ruleSetVersion = 1;

/** The part of a request that a step gives. */
type StepRequest = Pick<PipelineRequest, 'activity' | 'cancel' | 'key'>;

/**
 * A member of a scenario and the head of its family, kept in memory. Activities and cancels are decided by the code of
 * the pipeline; what it plans to write is kept here in place of the database. So a scenario gives the same results as
 * the service.
 */
export class ScenarioWorld {
  now: Date;
  readonly histories = new Map<string, ActivityHistory>();
  readonly issued = new Map<string, IssuedReward>();
  private readonly person: ScenarioPerson;
  private readonly people: ReadonlyMap<string, ScenarioPerson>;
  private readonly wanted: WantedOccasions;
  private readonly usage = new Map<string, number>();
  private readonly windows = new Map<string, readonly WindowUse[]>();
  private readonly submissions = new Map<string, Submission>();
  private queue: Submission[] = [];
  private causedOutcomes: Outcome[] = [];
  private requests = 0;

  constructor(
    private readonly run: TestRun,
    readonly records: ProgramRecords,
    start: Date,
    private readonly language: Language,
  ) {
    this.now = start;
    this.wanted = (program) => run.rules.occasionsOf(program);
    const { member, lots } = scenarioMember(run.test, records, author, start);
    const { timezone } = records.program;
    const sums = new ScenarioSums(run.test.aggregates ?? {}, member._id, timezone, start);
    this.person = new ScenarioPerson({ ...member, aggregates: sums.lifetimeAt(start) }, lots, sums, records);
    const head = scenarioHead(member, records, author, start);
    const heads = head ? [new ScenarioPerson(head, [], new ScenarioSums({}, head._id, timezone, start), records)] : [];
    this.people = new Map([...heads, this.person].map((each) => [each.id, each]));
  }

  get member() {
    return this.person.member;
  }

  /** Lets time pass. What becomes due is settled at its time, as timers do. An earlier date changes nothing. */
  async advanceTo(date: Date): Promise<void> {
    for (const due of this.dues(date)) {
      const { person, at } = due;
      this.now = new Date(Math.max(at.getTime(), this.now.getTime()));
      const change = person.settle(author, this.now, this.dates(), this.wanted);
      if (change) this.apply([change]);
      await this.postCaused();
      if (person.member.nextDue?.getTime() === at.getTime()) break;
    }
    if (date > this.now) this.now = date;
  }

  /**
   * Yields whoever has something due until a date, the earliest first. It looks again after each, because settling one
   * may make something else due.
   */
  private *dues(until: Date): Generator<{ person: ScenarioPerson; at: Date }> {
    for (;;) {
      const all = [...this.people.values()].flatMap((person) => {
        const at = person.member.nextDue;
        return at && at <= until ? [{ person, at }] : [];
      });
      const [first] = all.sort((a, b) => a.at.getTime() - b.at.getTime());
      if (!first) return;
      yield first;
    }
  }

  /**
   * Decides an activity or a cancellation, and keeps what it changes. Then posts the occasions that this causes.
   * @throws ServiceError when the service would refuse the request
   */
  async post(request: StepRequest): Promise<Outcome> {
    this.requests += 1;
    const outcome = await this.decide({ author, historyId: derivedId('scenario activity', this.requests), ...request });
    if (outcome instanceof Error) throw outcome;
    await this.postCaused();
    return outcome;
  }

  /** The outcomes of the member's occasions since the last call. */
  takeCaused(): Outcome[] {
    const { causedOutcomes: caused } = this;
    this.causedOutcomes = [];
    return caused;
  }

  /** Posts the occasions that wait, and those that they cause. Those that are refused have no effect. */
  private async postCaused(): Promise<void> {
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      const { _id, key, hash, request } = next;
      const sent = request as StepRequest;
      // Steps may have the same time. A level that is lost and reached again at that time would have the same occasion
      // id.
      const isKnown = this.histories.has(_id.toHexString());
      if (isKnown) this.requests += 1;
      const historyId = isKnown ? derivedId('scenario activity', this.requests) : _id;
      const outcome = await this.decide({ ...sent, author, historyId, submissionId: _id, key: { key, hash } });
      const owner = this.histories.get(historyId.toHexString())?.memberID;
      if (!(outcome instanceof Error) && owner?.equals(this.member._id)) this.causedOutcomes.push(outcome);
    }
  }

  private async decide(request: PipelineRequest): Promise<Outcome | Error> {
    const context = this.contextFor(request.activity);
    const { outcomes, plan } = await decideBatch(context, [{ ...request, explain: 'all', language: this.language }]);
    const [outcome = new Error('every request has an outcome')] = outcomes;
    if (plan) this.commit(plan);
    return outcome;
  }

  private dates(): Date[] {
    return [...this.histories.values()].map(({ date }) => date);
  }

  private contextFor(activity: Activity): BatchContext {
    const { run, records, member, now, wanted } = this;
    const { rules, definitions, test, evaluator } = run;
    const { needs } = rules.forActivity(records.program._id, activity.type);
    const limitWindows = new WindowCounters();
    for (const [key, uses] of this.windows) limitWindows.read({ _id: new ObjectId(key), uses: [...uses] }, []);
    const people = [...this.people.values()];
    const dates = [...this.dates(), activity.date];
    return {
      wanted,
      org: author.org,
      now,
      ruleSet: rules,
      ruleSetVersion,
      unpublishedFolders: [],
      evaluator,
      pastRuleSets: new Map([[ruleSetVersion, rules]]),
      members: new Map(people.map((each) => [each.id, each.open(now, dates, wanted)])),
      memberByLoyaltyId: new Map(people.flatMap((each) => each.member.loyaltyIDs.map((known) => [known, each.id]))),
      submissions: new Map(this.submissions),
      histories: new Map(this.histories),
      effective: new Map([[member._id.toHexString(), this.effectiveActivities()]]),
      archived: new Map(),
      archivedKeys: new Map(),
      unmetConditions: new Set(),
      usage: new Map(this.usage),
      inheritedUsage: new Map(),
      limitWindows,
      accounts: new Map(),
      memberByReferralCode: new Map(),
      named: scenarioRecords(test, records, activity, definitions),
      issued: new Map(this.issued),
      sums: new Map(people.flatMap(({ sums }) => [...sums.sumsFor(needs.aggregates, activity.date)])),
      windows: this.windowValues(),
      segments: scenarioSegments(definitions.segments),
      extDefinitions: noExtDefinitions,
      lists: testLists(test, definitions),
    };
  }

  private windowValues(): WindowValues {
    const all = [...this.people.values()].map((each) => each.sums.windows(each === this.person ? this.visits() : []));
    return {
      days: new Map(all.flatMap(({ days }) => [...days])),
      timed: new Map(all.flatMap(({ timed }) => [...timed])),
      visits: new Map(all.flatMap(({ visits }) => [...visits])),
    };
  }

  /** The dates of the Accruals that are effective, and the last visit that the test gives. */
  private visits(): Date[] {
    const { lastVisit } = this.run.test.member ?? {};
    const visitBefore = testDate(lastVisit, this.records.program.timezone);
    const own = [...this.histories.values()].filter(({ type, status }) => type === 'Accrual' && status === 'Processed');
    return [...(visitBefore ? [visitBefore] : []), ...own.map(({ date }) => date)];
  }

  private effectiveActivities() {
    return [...this.histories.values()]
      .filter(({ type, status }) => activeTypes.includes(type) && status === 'Processed')
      .map(({ _id, date, effects }) => ({ _id, date, inactiveOn: effects?.inactiveOn }))
      .sort((a, b) => b.date.getTime() - a.date.getTime());
  }

  private commit({ changes, histories, originals, counters, windows, issued, submissions, occasions }: Plan): void {
    this.apply(changes);
    this.queue.push(...occasions);
    for (const history of histories) this.histories.set(history._id.toHexString(), history);
    for (const { id, seenReturns: _r, seenReturnedValue: _v, seenStatus: _s, ...set } of originals) {
      const before = this.histories.get(id.toHexString());
      if (before) this.histories.set(id.toHexString(), { ...before, ...set });
    }
    for (const { id, used } of counters) this.usage.set(id.toHexString(), used);
    for (const { id, uses } of windows) this.windows.set(id.toHexString(), uses);
    for (const { reward } of issued) this.issued.set(reward._id.toHexString(), reward);
    for (const submission of submissions) this.submissions.set(submission.key, submission);
  }

  private apply(changes: Plan['changes']): void {
    for (const change of changes) {
      this.people.get(change.memberId.toHexString())?.apply(change);
      this.queue.push(...(change.occasions ?? []));
    }
  }
}

/** All segments of the org, as static ones. */
function scenarioSegments(names: readonly string[]): BatchSegments {
  const byId = new Map(names.map((name) => [segmentId(name).toHexString(), name]));
  const nameOf = (id: ObjectId) => byId.get(id.toHexString()) ?? [];
  return {
    idOf: (name) => (names.includes(name) ? segmentId(name) : undefined),
    namesOf: ({ segments = [] }) => segments.flatMap(nameOf),
    datesOf: ({ segmentDates = [] }) =>
      Object.fromEntries(
        segmentDates.flatMap(({ segment, since }) => [nameOf(segment)].flat().map((name) => [name, since])),
      ),
  };
}
