import type { ObjectId } from 'bson';
import { ledgerEvents, type RuleKeyOf } from '#platform/events/ledgerEvents';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory, ProcessingError } from '#records/activities/activityHistory';
import type { EventData, StoredEvent } from '#records/events/event';
import type { Plan } from './plan';

/** Most errors and rules that an event of an activity names. */
const limits = { errorsMax: 20, rulesMax: 1000 } as const;

/**
 * The events of a batch. First come those that no activity of the batch caused, such as releases and expiries that were
 * due. Then follow those of each activity, in the order in which the activities were decided, then refused activities,
 * and low budgets last.
 */
export function planEvents(plan: Plan): StoredEvent[] {
  const { histories, changes, now } = plan;
  const keyOf = ruleKeys(histories);
  const activityOrLedgerEvents = [
    ...histories.flatMap((history) => activityEvents(plan, history)),
    ...changes.flatMap((change) => ledgerEvents(change, now, keyOf)),
    ...plan.issued.flatMap(rewardEvents),
    ...histories.flatMap(referralEvents),
  ];
  return [
    ...sortByActivity(activityOrLedgerEvents, histories),
    ...plan.refused.map(refusedEvent),
    ...plan.lowBudgets.map(budgetEvent),
  ];
}

/** Sorts events by their activities; those of one activity keep their order. */
function sortByActivity(events: StoredEvent[], histories: readonly ActivityHistory[]): StoredEvent[] {
  const positions = new Map(histories.map(({ _id }, index) => [_id.toHexString(), index]));
  const positioned = events.map((event) => ({ event, place: activityIndex(event, positions) }));
  return positioned.sort((a, b) => a.place - b.place).map(({ event }) => event);
}

function activityIndex({ data }: StoredEvent, places: ReadonlyMap<string, number>): number {
  const cause = 'cancellation' in data ? data.cancellation : 'activity' in data ? data.activity : undefined;
  return (cause && places.get(cause.toHexString())) ?? -1;
}

/** The keys of the rules that fired in a batch. */
function ruleKeys(histories: readonly ActivityHistory[]): RuleKeyOf {
  const keys = new Map<string, string>();
  for (const { ruleMatch } of histories) {
    for (const { rule, key } of ruleMatch as { rule: ObjectId; key: string }[]) keys.set(rule.toHexString(), key);
  }
  return (rule) => keys.get(rule.toHexString());
}

function activityEvents({ cancels }: Plan, history: ActivityHistory): StoredEvent[] {
  const { _id: activity, program, memberID: member, status, value } = history;
  if (status === 'Error') {
    const data = { errors: shortErrors(history.result.errors), ...postedData(activity, history) };
    return [{ type: 'activity.failed', program, member, data }];
  }
  const cancel = cancels.size > 0 ? cancels.get(activity.toHexString()) : undefined;
  const data = { rules: firedKeys(history), ...postedData(activity, history) };
  if (!cancel) return [{ type: 'activity.processed', program, member, data }];
  const { original, isWhole } = cancel;
  return [
    { type: 'activity.processed', program, member, data: { cancels: original, ...data } },
    {
      type: 'activity.cancelled',
      program,
      member,
      data: { activity: original, cancellation: activity, isWhole, value },
    },
  ];
}

type Posted = Pick<Activity, 'type' | 'date' | 'value' | 'externalTxnId'>;

/**
 * The fields of an activity that its events repeat. Where they are spread into an object, a field of its own comes
 * first, because that makes the object faster to create (decision 16).
 */
function postedData(activity: ObjectId, { type: activityType, date, value, externalTxnId }: Posted) {
  if (externalTxnId === undefined) return { activity, activityType, date, value };
  return { activity, activityType, date, value, externalTxnId };
}

function firedKeys({ ruleMatch }: ActivityHistory): string[] {
  const keys: string[] = [];
  for (const { key, fired } of ruleMatch as { key: string; fired: boolean }[]) {
    if (fired && keys.length < limits.rulesMax) keys.push(key);
  }
  return keys;
}

/** Keeps only the codes of errors, because a rule may write personal data into a message. */
function shortErrors(errors: readonly ProcessingError[]): EventData<'activity.failed'>['errors'] {
  return errors.slice(0, limits.errorsMax).map((error) => {
    const { code, rule } = error as ProcessingError & { rule?: unknown };
    return { code, ...(typeof rule === 'string' ? { rule } : {}) };
  });
}

/** The event of a queued activity that was refused and therefore has no history. */
function refusedEvent({ id, errors, activity }: Plan['refused'][number]): StoredEvent {
  return { type: 'activity.failed', data: { errors: shortErrors(errors), ...postedData(id, activity) } };
}

function rewardEvents({ seen, reward: issued }: Plan['issued'][number]): StoredEvent[] {
  const { _id: issuedReward, code, reward, choice, validFrom, validUntil, activity, usedBy, status } = issued;
  const { program, member } = issued;
  const named = { issuedReward, code, ...(reward && { reward }) };
  const validity = { ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) };
  const made = activity ? { activity } : {};
  const chosen = choice ? { choice: choice.rewards } : {};
  const isUsed = status === 'Used' && seen !== 'Used' && usedBy;
  return [
    ...(seen === undefined
      ? [{ type: 'reward.issued' as const, program, member, data: { ...named, ...chosen, ...validity, ...made } }]
      : []),
    ...(isUsed ? [{ type: 'reward.used' as const, program, member, data: { ...named, activity: usedBy } }] : []),
  ];
}

function referralEvents({ _id: activity, program, effects }: ActivityHistory): StoredEvent[] {
  return (effects?.referrals ?? []).map(({ referrer, referred }) => ({
    type: 'referral.completed',
    program,
    member: referred,
    data: { referrer, referred, activity },
  }));
}

function budgetEvent({ rule, points: budget, used }: Plan['lowBudgets'][number]): StoredEvent {
  const { _id: ruleId, key, programId: program } = rule;
  return { type: 'budget.low', program, data: { rule: key, ruleId, budget, used, left: Math.max(0, budget - used) } };
}
