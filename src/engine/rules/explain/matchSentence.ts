import { localTime } from '#base/calendar/localCalendar';
import { twoDigits } from '#base/calendar/twoDigits';
import { dayNames, type Rule } from '../format/rule';
import { clockTimezone } from '../language/clock';
import type { MatchReason, RuleMatch } from '../language/decision';
import { plural } from '../words/amountText';
import { valueText } from '../words/valueText';
import { failedSentence } from './explainCondition';
import { hoursPhrase, limitPhrase } from './limitPhrase';
import { findRuleError, type MatchContext, type MatchToExplain, ownerless } from './matchContext';
import { firedPhrase } from './movedPoints';
import { offerSentences } from './offerSentences';

/** Why a rule fired or not, in one or two sentences. */
export function matchSentence(explained: MatchToExplain): string {
  return `${phraseMatch(explained)}${rowSentence(explained.rule)}`;
}

function rowSentence(rule: Rule | undefined): string {
  return rule?.row ? ` It is the row ${rule.row.file}:${rule.row.line} of the table ${rule.row.table}.` : '';
}

function phraseMatch(explained: MatchToExplain): string {
  const { match } = explained;
  if (match.fired) return firedSentence(explained);
  const why = match.reason === undefined ? 'It did not fire.' : sentences[match.reason](explained);
  const { notKept } = match;
  return notKept ? `${why} Whether this was so is not known, as a value was not kept: ${notKept.join('; ')}.` : why;
}

function firedSentence({ match, rule, context }: MatchToExplain): string {
  const { desired = 0, granted } = match;
  const cut =
    match.reason === undefined ? '' : `; it wanted ${desired}, but ${limitOwnerText(match.reason, rule)} left no more`;
  const fired = `${firedPhrase(rule, granted, context.moved?.get(match.rule.toHexString()))}${cut}`;
  const refused = findRuleError(match.key, context);
  if (refused !== undefined) return `${fired}, and the activity failed by it: ${refused}.`;
  if (context.errors.length > 0) return `${fired}, but the activity failed, so it had no effect.`;
  return `${fired}.${rule ? offerSentences(rule, context.offers ?? []) : ''}`;
}

const sentences: Record<MatchReason, (explained: MatchToExplain) => string> = {
  notEffective: ({ rule, context }) => notEffectiveSentence(rule, context),
  conditionFailed: ({ match: { failedCondition }, rule }) =>
    failedCondition
      ? `It needs that ${failedSentence(failedCondition, rule?.conditions)}.`
      : 'Its conditions did not hold.',
  limitReached: usedUpSentence,
  budgetEmpty: usedUpSentence,
  stopped: ({ stoppedBy }) =>
    stoppedBy
      ? `It did not run: the rule ${stoppedBy.key} fired before it, and no rule runs after that one.`
      : 'It did not run: the activity had failed before.',
  groupLost: ({ match, rule }) =>
    `Its conditions held${wouldHave(match)}, but ${pickText(rule?.pick)} of the group ${valueText(rule?.group)} was taken.`,
  error: ({ match, context }) => {
    const message = findRuleError(match.key, context) ?? ownerless(context);
    return message === undefined ? 'It failed, and the activity with it.' : `It failed: ${message}.`;
  },
};

function usedUpSentence({ match, rule, context }: MatchToExplain): string {
  const refused = findRuleError(match.key, context);
  const end = refused === undefined ? '' : ', and the activity failed by it';
  return `Its conditions held${wouldHave(match)}, but ${limitOwnerText(match.reason, rule)} is used up${end}.`;
}

function wouldHave({ desired }: RuleMatch): string {
  return desired === undefined ? '' : ` (for ${plural(desired, 'point')})`;
}

function limitOwnerText(reason: MatchReason | undefined, rule: Rule | undefined): string {
  if (reason === 'budgetEmpty')
    return rule?.budget ? `its budget of ${plural(rule.budget.points, 'point')}` : 'its budget';
  const [only, ...others] = rule?.limits ?? [];
  return only && others.length === 0 ? `its limit of ${limitPhrase(only)}` : 'one of its limits';
}

function pickText(pick: Rule['pick']): string {
  if (pick === 'highest') return 'the rule with the most points';
  return pick === 'lowest' ? 'the rule with the fewest points' : 'the first rule';
}

function notEffectiveSentence(rule: Rule | undefined, { date, timezone: programZone, location }: MatchContext): string {
  if (!rule) return 'It did not hold at the date of the activity.';
  const { status, effective, hours } = rule;
  if (status !== 'active') return `It is not active: its status is ${status}.`;
  if (effective?.from && date < effective.from) {
    return `It begins on ${valueText(effective.from)}: the activity's date was ${valueText(date)}.`;
  }
  if (effective?.to && date >= effective.to) {
    return `It ended on ${valueText(effective.to)}: the activity's date was ${valueText(date)}.`;
  }
  const timezone = clockTimezone(hours?.clock, { timezone: programZone }, location);
  const { weekday, hour, minute } = localTime(date, timezone);
  const clock = `${dayNames[weekday]} ${twoDigits(hour)}:${twoDigits(minute)} (${timezone})`;
  return hours ? `It holds ${hoursPhrase(hours)}: it was ${clock}.` : 'It did not hold at the date of the activity.';
}
