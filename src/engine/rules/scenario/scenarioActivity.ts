import type { FieldError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { joinPath } from '#base/schema/joinPath';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import type { Activity } from '#records/activities/activity';
import { type Extended, unknownWords } from '#records/activities/activityFaults';
import { isOccasionType, occasionShape } from '#records/activities/occasion';
import { checkedActivity, readCancel, readPosted } from '#records/activities/readActivity';
import type { RuleReferences } from '../format/ruleReferences';
import type { ScenarioStep } from '../format/scenarioShape';

const parseOccasion = compileParse(occasionShape);

/** The words of an org that activities may have, and the ids of the member of a scenario. */
export interface ScenarioNames extends Pick<RuleReferences, 'activityTypes'> {
  codes: RuleReferences['codes'];
  /** Hexadecimal; undefined when the test gives none. */
  memberId: string | undefined;
  loyaltyIds: readonly string[];
}

/** What a step posts, and the faults for which the service would refuse the post. */
export interface ScenarioActivity {
  activity: Activity;
  faults: readonly FieldError[];
}

/**
 * Reads the activity of a step as a post is read. Time passes to a later date, so no date is ahead of it. An occasion
 * may be written as the service would post it.
 * @param now the time of the scenario
 */
export function scenarioActivity(
  sent: Readonly<Record<string, unknown>>,
  names: ScenarioNames,
  now: Date,
): ScenarioActivity {
  const { occasion, ...posted } = sent;
  const { type } = sent;
  if (typeof type !== 'string' || !isOccasionType(type)) return readStep(sent, names, now);
  const { activity, faults } = readStep({ ...posted, type: 'Accrual' }, names, now);
  const parsed = occasion === undefined ? { value: undefined } : parseOrFaults(() => parseOccasion(occasion));
  if ('faults' in parsed) return { activity, faults: [...faults, ...parsed.faults.map(belowOccasion)] };
  return { activity: { ...activity, type, ...(parsed.value && { occasion: parsed.value }) }, faults };
}

function belowOccasion({ path, ...fault }: FieldError): FieldError {
  return { ...fault, path: path === '' ? 'occasion' : joinPath('occasion', path) };
}

function readStep(sent: Readonly<Record<string, unknown>>, names: ScenarioNames, now: Date): ScenarioActivity {
  const { activity, faults } = readPosted(sent, now);
  const own = scenarioFaults(activity, names);
  const read = { activity, faults, missing: [] };
  const checks = {
    now: new Date(Math.max(now.getTime(), activity.date.getTime())),
    extended: extendedWords(names, activity),
  };
  const checked = checkedActivity(read, checks);
  const known = new Set(checked.faults.map(({ path }) => path));
  return { ...checked, faults: [...checked.faults, ...own.filter(({ path }) => !known.has(path))] };
}

/**
 * The faults of names that a post may have and a scenario cannot: it has one member, and its histories have no ids yet.
 */
function scenarioFaults(activity: Activity, { memberId, loyaltyIds }: ScenarioNames): FieldError[] {
  const { type, memberID, loyaltyID, originalTxnId } = activity;
  const faults: FieldError[] = [];
  const add = (path: string, fault: Message) => faults.push({ path, kind: 'reference', ...fault });
  if (type === 'Cancellation') add('type', message('ruleTests.noCancellation'));
  else if (originalTxnId) add('originalTxnId', message('ruleTests.noActivityOfStory'));
  if (memberID && String(memberID).toLowerCase() !== memberId) add('memberID', otherMember);
  if (loyaltyID !== undefined && !loyaltyIds.includes(loyaltyID)) add('loyaltyID', otherMember);
  return faults;
}

const otherMember = message('ruleTests.otherMember');

/** The words that Enums add. A list of the org that is not known has every word. */
function extendedWords({ activityTypes, codes }: ScenarioNames, activity: Activity): Extended {
  const known = { ActivityType: activityTypes, ChannelType: codes?.channels, SalesUOM: codes?.units };
  const words = unknownWords(activity);
  return new Map(
    Object.entries(known).map(([type, values]) => {
      const used = words.flatMap((word) => (word.type === type ? [word.value] : []));
      return [type, new Set(values ?? used)];
    }),
  );
}

/** Reads what a cancel names as the service reads the body of a cancel. */
export function scenarioCancel({ step: _, ...body }: NonNullable<ScenarioStep['cancel']>, now: Date): ScenarioActivity {
  return checkedActivity(readCancel(body, now), { now, extended: new Map() });
}
