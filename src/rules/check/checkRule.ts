import type { RuleAction } from '../actions/list';
import type { RuleDraft } from '../format/rule';
import type { RowOrigin } from '../format/tableShape';
import type { Amount } from '../language/amount';
import { refText } from '../language/factRef';
import { builtInMetricNames } from '../language/metricNames';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { factTypeAt } from './checkConditions';
import { checkNames } from './checkNames';
import { checkTerms } from './checkTerms';
import { checkTest } from './checkTest';
import type { ProgramScope } from './programScope';

/** The fields that {@link checkRule} looks at; conditions are checked apart. */
export type RuleFields = Omit<RuleDraft, 'file' | 'position' | 'programId' | 'programCode' | 'conditions' | 'row'>;

/** A rule where it stands. */
export interface PlacedRule {
  source: RuleSource;
  at: JsonPath;
  rule: RuleFields;
  /** The row of a table that it comes of. */
  row?: RowOrigin | undefined;
}

/** Checks what a schema cannot: names that must exist, and fields that belong together. */
export function checkRule({ source, at, rule }: PlacedRule, scope: ProgramScope): void {
  checkNames(source, [...at, 'activityTypes'], 'activity type', rule.activityTypes, scope.activityTypes);
  checkNames(source, [...at, 'segments'], 'segment', rule.segments ?? [], scope.segments);
  checkNames(source, [...at, 'tiers'], 'tier level', rule.tiers ?? [], scope.levels);
  checkTimes(source, at, rule);
  checkGroup(source, at, rule);
  checkLimits(source, at, rule);
  rule.actions.forEach((action, index) => {
    checkAction(source, [...at, 'actions', index], action, scope);
  });
  if (rule.activityTypes.includes('Cancellation')) checkCancellation(source, at, rule);
  rule.tests?.forEach((test, index) => {
    checkTest(source, [...at, 'tests', index], test, scope);
  });
}

function checkTimes(source: RuleSource, at: JsonPath, { effective, hours }: RuleFields): void {
  if (effective?.from && effective.to && effective.from >= effective.to) {
    source.error([...at, 'effective', 'to'], 'to must be later than from');
  }
  if (hours && (hours.from ?? '00:00') === (hours.to ?? '24:00')) {
    source.error([...at, 'hours'], 'from and to are the same time; leave both out for the whole day');
  }
}

function checkGroup(source: RuleSource, at: JsonPath, { group, pick }: RuleFields): void {
  if (group !== undefined && pick === undefined) {
    source.error([...at, 'group'], 'a group needs "pick": all, first, highest or lowest');
  }
  if (group === undefined && pick !== undefined) source.keyError([...at, 'pick'], '"pick" needs a "group"');
}

function checkLimits(source: RuleSource, at: JsonPath, { limits = [], budget, actions }: RuleFields): void {
  const countsPoints = budget !== undefined || limits.some(({ what }) => what === 'points');
  if (countsPoints && actions.some(({ type }) => type === 'completeReferral')) {
    source.error([...at, budget ? 'budget' : 'limits'], 'points of completeReferral are not counted; limit its times');
  }
  const seen = new Map<string, number>();
  limits.forEach(({ what, per, period }, index) => {
    const identity = `${what} ${per} ${period}`;
    const other = seen.get(identity);
    if (other === undefined) seen.set(identity, index);
    else source.error([...at, 'limits', index], `counts the same as limits[${other}]; one of them is enough`);
  });
}

/** Actions of a rule that runs on a cancellation. */
const cancellationActions = ['setData', 'log', 'reject', 'addMetric'];

function checkCancellation(source: RuleSource, at: JsonPath, { actions }: RuleFields): void {
  actions.forEach(({ type }, index) => {
    if (cancellationActions.includes(type)) return;
    const message = `a rule for Cancellation may only have ${cancellationActions.join(', ')}`;
    source.error([...at, 'actions', index, 'type'], message);
  });
}

function checkAction(source: RuleSource, at: JsonPath, action: RuleAction, scope: ProgramScope): void {
  switch (action.type) {
    case 'addPoints':
      checkPurse(source, [...at, 'purse'], action.purse, scope);
      checkAmount(source, [...at, 'points'], action.points, scope);
      checkTerms(source, at, action, scope.program);
      return;
    case 'redeemPoints':
      checkPurse(source, [...at, 'purse'], action.purse, scope);
      checkAmount(source, [...at, 'points'], action.points, scope);
      return;
    case 'transferPoints':
      checkTransfer(source, at, action, scope);
      return;
    case 'completeReferral':
      checkPurse(source, [...at, 'purse'], action.purse, scope);
      checkAmount(source, [...at, 'points'], action.points ?? 0, scope);
      checkAmount(source, [...at, 'referrerPoints'], action.referrerPoints ?? 0, scope);
      return;
    case 'applyOffer':
      checkCode(source, [...at, 'offer'], 'offer', action.offer, scope.offers);
      return;
    case 'issueReward':
      checkCode(source, [...at, 'reward'], 'reward', action.reward, scope.rewards);
      return;
    case 'addMetric':
      checkMetric(source, [...at, 'metric'], action.metric, scope);
      checkAmount(source, [...at, 'value'], action.value, scope);
      return;
    case 'setTier':
      checkTier(source, at, action, scope);
      return;
    case 'addSegment':
    case 'removeSegment':
      checkSegment(source, [...at, 'segment'], action.segment, scope);
      return;
    case 'setExt':
    case 'lookupProducts':
    case 'setData':
    case 'reject':
    case 'log':
      return;
    default:
      action satisfies never;
  }
}

function checkSegment(source: RuleSource, at: JsonPath, name: string, { segments, querySegments }: ProgramScope): void {
  if (!segments.includes(name)) source.error(at, `unknown segment "${name}"${didYouMean(name, segments)}`);
  else if (querySegments.includes(name)) {
    source.error(at, `the segment "${name}" selects members by a query; only static ones can be changed`);
  }
}

function checkPurse(source: RuleSource, at: JsonPath, name: string, { purses }: ProgramScope): void {
  if (!purses.includes(name)) source.error(at, `unknown purse "${name}"${didYouMean(name, purses)}`);
}

function checkTier(
  source: RuleSource,
  at: JsonPath,
  { policy, level }: RuleAction<'setTier'>,
  { program: { tiers } }: ProgramScope,
): void {
  const levels = tiers.find(({ name }) => name === policy)?.levels.map(({ name }) => name);
  if (!levels) {
    const hint = didYouMean(
      policy,
      tiers.map(({ name }) => name),
    );
    source.error([...at, 'policy'], `unknown tier policy "${policy}"${hint}`);
  } else if (!levels.includes(level)) {
    source.error([...at, 'level'], `unknown tier level "${level}"${didYouMean(level, levels)}`);
  }
}

function checkCode(source: RuleSource, at: JsonPath, what: string, code: string, known: readonly string[]): void {
  if (!known.includes(code)) source.error(at, `unknown ${what} "${code}"${didYouMean(code, known)}`);
}

function checkTransfer(
  source: RuleSource,
  at: JsonPath,
  { purse, points, toPurse, toMember }: RuleAction<'transferPoints'>,
  scope: ProgramScope,
): void {
  checkPurse(source, [...at, 'purse'], purse, scope);
  checkAmount(source, [...at, 'points'], points, scope);
  if (toPurse !== undefined) checkPurse(source, [...at, 'toPurse'], toPurse, scope);
  if ((toPurse === undefined) === (toMember === undefined)) {
    source.error(at, 'a transfer needs one of "toPurse" and "toMember"');
  } else if (toPurse === purse) source.error([...at, 'toPurse'], 'the points would stay in their purse');
  if (typeof toMember?.loyaltyID !== 'object') return;
  const place = [...at, 'toMember', 'loyaltyID'];
  // Who receives must be known before anything is evaluated.
  if (toMember.loyaltyID.fact !== 'activity') source.error(place, 'only a part of the activity can name the receiver');
  else factTypeAt(source, place, toMember.loyaltyID, scope.facts);
}

function checkAmount(source: RuleSource, at: JsonPath, amount: Amount, { facts }: ProgramScope): void {
  if (typeof amount === 'number') return;
  const type = factTypeAt(source, [...at, 'of'], amount.of, facts);
  if (type && type.kind !== 'number' && type.kind !== 'any') {
    source.error([...at, 'of'], `${refText(amount.of)} is a ${type.kind}; an amount needs a number`);
  }
  if (amount.min !== undefined && amount.max !== undefined && amount.min > amount.max) {
    source.error([...at, 'max'], 'max must not be below min');
  }
}

function checkMetric(source: RuleSource, at: JsonPath, name: string, { metrics }: ProgramScope): void {
  if (builtInMetricNames.some((each) => each === name))
    source.error(at, `"${name}" is a metric that the service counts itself`);
  else if (metrics.length > 0 && !metrics.includes(name)) {
    const hint = didYouMean(name, metrics);
    if (hint !== '') source.warning(at, `"${name}" is a new metric${hint}`);
  }
}
