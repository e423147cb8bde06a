import { ObjectId } from 'bson';
import { lowBudgets } from '#activities/commit/lowBudgets';
import type { OriginalUpdate, Plan } from '#activities/commit/plan';
import { addDecimals } from '#base/common/addDecimals';
import type { Author } from '#base/db/records';
import type { CounterUse } from '#engine/rules/language/decision';
import { ledgerChange } from '#members/memberState/memberState';
import { type ActivityHistory, noEffects, type ProcessingError } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { BatchContext } from './batchContext';
import { causedOccasions } from './causedOccasions';
import type { PipelineRequest } from './pipelineRequest';
import { WindowCounters } from './windowCounters';

/** The amount to add to a counter; a negative amount gives back. */
export type CounterChange = Pick<CounterUse, 'id' | 'amount'> & { window?: { at: number; after?: ObjectId } };

/** Collects the decisions of a batch, and makes a {@link Plan} of them at the end. */
export class PlanBuilder {
  readonly histories: ActivityHistory[] = [];
  readonly originals = new Map<string, OriginalUpdate>();
  readonly submissions: Submission[] = [];
  /** Submissions that had left their keys free, by hexadecimal id. */
  readonly replaced = new Map<string, ObjectId>();
  readonly finished: { Processed: ObjectId[]; Error: ObjectId[] } = { Processed: [], Error: [] };
  readonly refused: Plan['refused'][number][] = [];
  readonly failedRows: Plan['failedRows'][number][] = [];
  readonly cancels = new Map<string, { original: ObjectId; isWhole: boolean }>();
  private readonly seen = new Map<string, number>();
  /** Status of issued rewards as read; undefined for new ones. */
  private readonly seenIssued = new Map<string, IssuedReward['status'] | undefined>();

  constructor(private readonly context: BatchContext) {}

  /** Adds to the used amounts of limits, budgets and coupons. Later requests of the batch see the new amounts. */
  use(uses: readonly CounterChange[]): void {
    const { usage } = this.context;
    for (const { id, amount, window } of uses) {
      if (window) {
        this.context.limitWindows ??= new WindowCounters();
        this.context.limitWindows.use(id, window, amount);
        continue;
      }
      const key = id.toHexString();
      const used = usage.get(key) ?? 0;
      if (!this.seen.has(key)) this.seen.set(key, used);
      usage.set(key, addDecimals(used, amount));
    }
  }

  /** Adds or replaces an issued reward. Later requests of the batch see it. */
  putIssued(reward: IssuedReward): void {
    const { issued } = this.context;
    const key = reward._id.toHexString();
    if (!this.seenIssued.has(key)) this.seenIssued.set(key, issued.get(key)?.status);
    issued.set(key, reward);
  }

  /** Replaces the original of a cancellation. Later requests of the batch see the new one. */
  updateOriginal(before: ActivityHistory, after: ActivityHistory, { userId }: Author): void {
    const key = before._id.toHexString();
    const first = this.originals.get(key);
    this.context.histories.set(key, after);
    this.originals.set(key, {
      id: before._id,
      seenReturns: first?.seenReturns ?? before.returns ?? 0,
      seenReturnedValue: first?.seenReturnedValue ?? before.returnedValue ?? 0,
      seenStatus: first?.seenStatus ?? before.status,
      status: after.status,
      returnedValue: after.returnedValue ?? 0,
      returnedByValue: after.returnedByValue ?? 0,
      returns: after.returns ?? 0,
      ...(after.lineItems === before.lineItems && !first?.lineItems ? {} : { lineItems: after.lineItems }),
      effects: after.effects ?? noEffects,
      updatedBy: userId,
    });
  }

  /** Ends a queued submission without a history. Other requests that are refused write nothing. */
  refuse(request: PipelineRequest, errors: ProcessingError[]): void {
    const { submissionId: id, key, activity, cancel, author, row } = request;
    if (!id || !key) return;
    this.refused.push({ id, key: key.key, errors, activity, original: cancel?.originalId, author, row });
    this.failRow(request, errors);
  }

  /** Notes that the activity of a row of an import has an error. */
  failRow({ author, row }: PipelineRequest, errors: readonly ProcessingError[]): void {
    if (row && errors.length > 0) this.failedRows.push({ author, row, errors });
  }

  /** The plan; undefined when there is nothing to write. */
  finish(): Plan | undefined {
    const { org, now } = this.context;
    const changes = [...this.context.members.values()].flatMap(ledgerChange);
    const counters = [...this.seen].map(([id, seen]) => {
      const inherited = this.context.inheritedUsage.get(id) ?? 0;
      const used = this.context.usage.get(id) ?? 0;
      return { id: new ObjectId(id), seen: addDecimals(seen, -inherited), used: addDecimals(used, -inherited) };
    });
    const windows = this.context.limitWindows?.changes() ?? [];
    const { histories, submissions, finished, refused, failedRows, cancels } = this;
    const originals = [...this.originals.values()];
    const replaced = [...this.replaced.values()];
    const issued = [...this.seenIssued].flatMap(([id, seen]) => {
      const reward = this.context.issued.get(id);
      return reward ? [{ seen, reward }] : [];
    });
    const mayCause = issued.length > 0 || originals.length > 0 || histories.some(({ effects }) => effects?.referrals);
    const occasions = mayCause ? causedOccasions(this.context, { histories, originals, issued }) : [];
    const ends = [submissions, occasions, finished.Processed, finished.Error, refused];
    const rows = [changes, histories, originals, counters, windows, issued, ...ends];
    if (rows.every(({ length }) => length === 0)) return undefined;
    const written = { changes, histories, originals, counters, windows, issued, submissions, occasions };
    return {
      org,
      now,
      ...written,
      finished,
      refused,
      failedRows,
      cancels,
      replaced,
      lowBudgets: lowBudgets(this.context.ruleSet, counters),
    };
  }
}
