import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { refusedRules } from '#activities/state/refusedRules';
import { notFound } from '#base/common/errors';
import { joinMessages, type Message, message, pickMessage } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { count, integerMax, list, objectId, record, text } from '#base/schema/atoms';
import { messageFields } from '#base/schema/messageShape';
import type { Language } from '#base/words/language';
import { eligibilityRefs } from '#engine/rules/decide/priorityGroup';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { cutToSize } from '#engine/rules/explain/cutToSize';
import { explainMatches } from '#engine/rules/explain/explainMatches';
import { movedByRule } from '#engine/rules/explain/movedPoints';
import { lackIn, nearestMiss } from '#engine/rules/explain/nearestMiss';
import type { AppliedOffer } from '#engine/rules/explain/offerSentences';
import { type HistoryFacts, pastFacts } from '#engine/rules/explain/pastFacts';
import { pointsOfRule } from '#engine/rules/explain/pointsOfRule';
import { ruleReasons } from '#engine/rules/explain/ruleReasons';
import { recordFact } from '#engine/rules/format/recordFacts';
import type { Rule } from '#engine/rules/format/rule';
import type { RuleMatch } from '#engine/rules/language/decision';
import { idsAsText } from '#engine/rules/language/operators';
import { phrasebookFor } from '#engine/rules/phrasebooks/phrasebookFor';
import { lineItemFields, postedFields } from '#records/activities/activity';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { explainedMatch, nearestMiss as nearestMissShape } from '#records/activities/shownResult';
import { archivedAnswer } from '#records/archives/findArchived';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';

/** The shape of an explanation: every rule for a past activity, with the reason why it fired or did not. */
export const explanationShape = record({
  activityId: objectId('ActivityHistory'),
  ruleSet: Type.Union([count(), Type.Null()], { description: 'Version of the rule set that evaluated it; null: none' }),
  ruleMatch: list(explainedMatch, integerMax),
  omitted: Type.Optional(
    count({ description: 'Rules left out, those that were farthest from firing; all=true shows them' }),
  ),
  nearestMiss: Type.Union([nearestMissShape, Type.Null()], {
    description: 'The rule that came closest to firing, among those whose conditions failed',
  }),
  message: Type.Optional(text(1000, { description: 'Why the answer explains no rule' })),
  ...messageFields,
});

type Explanation = Static<typeof explanationShape>;

/** The sources that explaining past activities needs. */
export interface ExplainSources {
  db: Connection;
  ruleSet(org: ObjectId, version: number): Promise<RuleSet | undefined>;
}

/** Which rules an explanation shows, and in which language. */
export interface ShownRules {
  /** True: every rule, however long the answer. Otherwise only those that were nearest to firing. */
  showsAll?: boolean;
  /** Language of the sentences; English when left out. */
  language?: Language;
}

/**
 * Explains a past activity by the rule set that evaluated it, from its history and its fact snapshot.
 * @throws ServiceError 1500 when there is no such activity
 */
export async function explainHistory(
  sources: ExplainSources,
  org: ObjectId,
  _id: ObjectId,
  shown: ShownRules = {},
): Promise<Explanation> {
  const history = await collectionOf(sources.db, activityHistoryResource).findOne({ _id, org });
  if (!history) throw (await archivedAnswer(sources.db, org, _id)) ?? notFound('ActivityHistory');
  const why = unexplained(history);
  const version = history.ruleSet;
  if (why !== undefined || version === undefined) {
    return { activityId: _id, ruleSet: version ?? null, ruleMatch: [], nearestMiss: null, ...why };
  }
  const set = await sources.ruleSet(org, version);
  const rules = set?.forActivity(history.program, history.type).rules ?? [];
  if (rules.length === 0) return emptyExplanation(history, version);
  const program = await readHistoryProgram(sources.db, history);
  return { activityId: _id, ruleSet: version, ...buildExplanation(history, rules, program, shown) };
}

/** The explanation of an activity that no rule is for. */
function emptyExplanation({ _id, type }: ActivityHistory, ruleSet: number): Explanation {
  const why = message('activities.noRuleForType', { ruleSet, type });
  return { activityId: _id, ruleSet, ruleMatch: [], nearestMiss: null, ...why };
}

function unexplained({ ruleSet, status, ruleMatch, result }: ActivityHistory): Message | undefined {
  const noted = result.log.find(({ action }) => action === refusedRules)?.results;
  if (status !== 'Error' && isObject(noted) && typeof noted.message === 'string') {
    return pickMessage(noted as unknown as Message);
  }
  if (ruleSet === undefined) return message('activities.noRuleSetThen');
  // A rule that makes an activity fail is always in `ruleMatch`. So an empty one means that no rule was evaluated.
  if (status !== 'Error' || ruleMatch.length > 0) return undefined;
  const reasons = joinMessages('semicolon', result.errors.map(withoutFullStop));
  return message('activities.refusedBeforeRules', { reasons });
}

function withoutFullStop({ message: text, ...rest }: Message): Message {
  return { ...pickMessage({ message: text.replace(/\.$/, ''), ...rest }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The time zone of the program of an activity, and the names of its purses. */
async function readHistoryProgram(db: Connection, { org, program }: ActivityHistory) {
  const [found, purses] = await Promise.all([
    collectionOf(db, programResource).findOne({ org, _id: program }),
    collectionOf(db, pursePolicyResource).find({ org, program }).toArray(),
  ]);
  const names = new Map(purses.map(({ _id, name }) => [_id.toHexString(), name]));
  return { timezone: found?.timezone, purseName: (id: ObjectId) => names.get(id.toHexString()) };
}

function buildExplanation(
  history: ActivityHistory,
  rules: readonly Rule[],
  program: Awaited<ReturnType<typeof readHistoryProgram>>,
  { showsAll = false, language }: ShownRules,
) {
  const phrasebook = phrasebookFor(language);
  const { date, lineItems, factsRead, result, location, occasion } = history;
  const facts = pastFacts(historyFacts(history), factsRead);
  const stored = new Map(rules.flatMap((rule) => storedMatch(rule, history.ruleMatch)));
  const replayed = ruleReasons(
    rules,
    { date, schedule: occasion?.schedule, facts, location, lineItems: lineItems.length, stored },
    phrasebook,
  );
  const timezone = snapshotTimezone(factsRead) ?? program.timezone ?? 'UTC';
  const movements = history.effects && movedByRule(history.effects, history.memberID, program.purseName);
  const context = { rules, date, timezone, location, errors: result.errors, moved: movements };
  const explained = explainMatches(replayed, { ...context, offers: appliedOffers(history) }, phrasebook);
  const { shown, omitted } = showsAll ? { shown: explained, omitted: 0 } : cutToSize(explained, lackIn);
  const nearest = nearestMiss(replayed, { rules, timezone, worthOf: (rule) => pointsOfRule(rule, facts) }, phrasebook);
  return {
    ruleMatch: shown.map(({ lacking: _, ...match }) => ({ ...match })),
    ...(omitted > 0 ? { omitted } : {}),
    nearestMiss: nearest && { ...nearest },
  };
}

/** The facts that are stored in the history itself, not in the fact snapshot. */
function historyFacts(history: ActivityHistory): HistoryFacts {
  return {
    activity: activityFact(history),
    location: recordFact('location', plainOrNone(history.location)),
    partner: recordFact('partner', plainOrNone(history.partner)),
    now: new Date(history.oplogTS),
  };
}

/** The offers that were applied, and those that were passed over. */
function appliedOffers({ bestOffers, result }: ActivityHistory): AppliedOffer[] {
  const offers: unknown[] = Array.isArray(bestOffers) ? bestOffers : [];
  const applied = offers.flatMap((offer) => {
    const { code, points, discount, rule } = plainOrNone(offer) ?? {};
    if (typeof code !== 'string' || typeof points !== 'number' || typeof discount !== 'number') return [];
    return [{ code, points, discount, ...(rule instanceof ObjectId ? { rule } : {}) }];
  });
  const passedOver = result.log.flatMap(({ action, results }) => {
    const { code, isApplied, reason } = (action === 'applyOffer' && plainOrNone(results)) || {};
    if (typeof code !== 'string' || isApplied !== false || typeof reason !== 'string') return [];
    return [{ code, points: 0, discount: 0, reason }];
  });
  return [...applied, ...passedOver];
}

function plainOrNone(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

/** The fact `activity`, built from the fields of the history. */
function activityFact(history: ActivityHistory): Record<string, unknown> {
  const lineItems = history.lineItems.map((item) => idsAsText(pickFields(item, Object.keys(lineItemFields))));
  const occasion = history.occasion && { occasion: idsAsText(history.occasion) };
  return { ...idsAsText(pickFields(history, Object.keys(postedFields))), ...occasion, lineItems };
}

function pickFields(values: object, names: readonly string[]): Record<string, unknown> {
  const wanted = new Set(names);
  return Object.fromEntries(Object.entries(values).filter(([name]) => wanted.has(name)));
}

/** The program's time zone from the fact snapshot. It is there only when a rule has hours. */
function snapshotTimezone(factsRead: ActivityHistory['factsRead']): string | undefined {
  const { fact, path } = eligibilityRefs.timezone;
  const read = factsRead?.find((each) => each.fact === fact && each.path === path);
  return typeof read?.value === 'string' ? read.value : undefined;
}

function storedMatch(rule: Rule, entries: ActivityHistory['ruleMatch']): [string, RuleMatch][] {
  const found = entries.find(({ key }) => key === rule.key);
  if (!found) return [];
  const { reason, desired, granted } = found;
  const match: RuleMatch = {
    rule: rule._id,
    key: rule.key,
    name: rule.name,
    version: rule.version,
    fired: found.fired === true,
    ...(isReason(reason) && { reason }),
    ...(typeof desired === 'number' && { desired }),
    ...(typeof granted === 'number' && { granted }),
  };
  return [[rule.key, match]];
}

const cutReasons = ['limitReached', 'budgetEmpty', 'stopped', 'groupLost', 'error'] as const;

function isReason(reason: unknown): reason is (typeof cutReasons)[number] {
  return cutReasons.some((each) => each === reason);
}
