import { localTime } from '#base/calendar/localCalendar';
import { twoDigits } from '#base/calendar/twoDigits';
import { germanNumber } from '#base/words/germanNumber';
import { findRuleError, type MatchToExplain, ownerless } from '../explain/matchContext';
import { actionPurses, type MovedPoints } from '../explain/movedPoints';
import type { AppliedOffer } from '../explain/offerSentences';
import type { Rule } from '../format/rule';
import { clockTimezone } from '../language/clock';
import type { MatchReason } from '../language/decision';
import { germanPoints, germanValue } from '../words/german/germanValue';
import { germanFailed } from './germanCondition';
import { dayNames, germanHours, germanLimit } from './germanLimit';

/** Why a rule fired or not, in German. The message of an error stays as the service gave it. */
export function germanMatch(explained: MatchToExplain): string {
  const row = explained.rule?.row;
  return `${germanMatchSentence(explained)}${row ? ` Sie ist die Zeile ${row.file}:${row.line} der Tabelle ${row.table}.` : ''}`;
}

function germanMatchSentence(explained: MatchToExplain): string {
  const { match } = explained;
  if (match.fired) return firedSentence(explained);
  const why = match.reason === undefined ? 'Sie hat nicht gegriffen.' : sentences[match.reason](explained);
  const { notKept } = match;
  if (!notKept) return why;
  return `${why} Ob das so war, ist nicht bekannt, da ein Wert nicht aufbewahrt wurde: ${notKept.join('; ')}.`;
}

function firedSentence({ match, rule, context }: MatchToExplain): string {
  const { desired = 0, granted } = match;
  const wanted = match.reason === undefined ? '' : `; sie wollte ${germanPoints(desired)}, aber ${taker(match, rule)}`;
  const cut = wanted === '' ? '' : `${wanted} ließ nicht mehr zu`;
  const fired = `${firedPhrase(rule, granted, context.moved?.get(match.rule.toHexString()))}${cut}`;
  const refused = findRuleError(match.key, context);
  if (refused !== undefined) return `${fired}, und die Aktivität scheiterte daran: ${refused}.`;
  if (context.errors.length > 0) return `${fired}, aber die Aktivität scheiterte, also ohne Wirkung.`;
  return `${fired}.${rule ? germanOffers(rule, context.offers ?? []) : ''}`;
}

function firedPhrase(
  rule: Rule | undefined,
  granted: number | undefined,
  moved: readonly MovedPoints[] | undefined,
): string {
  if (moved && moved.length > 0) {
    const phrases = moved.map(({ purse, points, isOther }) => {
      const ownerText = isOther ? ' eines anderen Mitglieds' : '';
      return `${germanPoints(Math.abs(points))} ${points > 0 ? 'in' : 'aus'} ${purse}${ownerText}`;
    });
    return `Sie hat gegriffen: ${phrases.join(' und ')}`;
  }
  return granted === undefined ? 'Sie hat gegriffen' : `Sie hat gegriffen: ${grantedText(rule, granted)}`;
}

/** Points of a rule whose movements are not known, with the purses that its actions name. */
function grantedText(rule: Rule | undefined, granted: number): string {
  const [added, taken] = [actionPurses(rule, 'awarded'), actionPurses(rule, 'redeemed')];
  const pointsText = germanPoints(granted);
  if (granted === 0 || added.length + taken.length === 0) return pointsText;
  return added.length === 0 ? `${pointsText} aus ${taken.join(' und ')}` : `${pointsText} in ${added.join(' und ')}`;
}

const sentences: Record<MatchReason, (explained: MatchToExplain) => string> = {
  notEffective: notEffectiveSentence,
  conditionFailed: ({ match: { failedCondition }, rule }) =>
    failedCondition
      ? `Sie verlangt: ${germanFailed(failedCondition, rule?.conditions)}.`
      : 'Ihre Bedingungen galten nicht.',
  limitReached: usedUpSentence,
  budgetEmpty: usedUpSentence,
  stopped: ({ stoppedBy }) =>
    stoppedBy
      ? `Sie lief nicht: Die Regel ${stoppedBy.key} griff vor ihr, und danach läuft keine Regel.`
      : 'Sie lief nicht: Die Aktivität war schon gescheitert.',
  groupLost: ({ match, rule }) =>
    `Ihre Bedingungen galten${wouldHave(match)}, aber genommen wurde ${pickText(rule?.pick)} der Gruppe ${germanValue(rule?.group)}.`,
  error({ match, context }) {
    const message = findRuleError(match.key, context) ?? ownerless(context);
    return message === undefined ? 'Sie scheiterte, und mit ihr die Aktivität.' : `Sie scheiterte: ${message}.`;
  },
};

function usedUpSentence({ match, rule, context }: MatchToExplain): string {
  const refused = findRuleError(match.key, context);
  const end = refused === undefined ? '' : ', und die Aktivität scheiterte daran';
  return `Ihre Bedingungen galten${wouldHave(match)}, aber ${taker(match, rule)} ist ausgeschöpft${end}.`;
}

function wouldHave({ desired }: MatchToExplain['match']): string {
  return desired === undefined ? '' : ` (für ${germanPoints(desired)})`;
}

function taker({ reason }: MatchToExplain['match'], rule: Rule | undefined): string {
  if (reason === 'budgetEmpty') return rule?.budget ? `ihr Budget (${germanPoints(rule.budget.points)})` : 'ihr Budget';
  const [only, ...others] = rule?.limits ?? [];
  return only && others.length === 0 ? `ihre Grenze (${germanLimit(only)})` : 'eine ihrer Grenzen';
}

function pickText(pick: Rule['pick']): string {
  if (pick === 'highest') return 'die Regel mit den meisten Punkten';
  return pick === 'lowest' ? 'die Regel mit den wenigsten Punkten' : 'die erste Regel';
}

const statuses = { active: 'aktiv', paused: 'angehalten', draft: 'ein Entwurf' } as const;

function notEffectiveSentence({ rule, context: { date, timezone, location } }: MatchToExplain): string {
  if (!rule) return 'Sie galt am Tag der Aktivität nicht.';
  const { status, effective, hours } = rule;
  if (status !== 'active') return `Sie ist nicht aktiv, sondern ${statuses[status]}.`;
  const was = `die Aktivität war am ${germanValue(date)}`;
  if (effective?.from && date < effective.from) return `Sie beginnt am ${germanValue(effective.from)}; ${was}.`;
  if (effective?.to && date >= effective.to) return `Sie endete am ${germanValue(effective.to)}; ${was}.`;
  if (!hours) return 'Sie galt am Tag der Aktivität nicht.';
  const zone = clockTimezone(hours.clock, { timezone }, location);
  const { weekday, hour, minute } = localTime(date, zone);
  return `Sie gilt ${germanHours(hours)}; es war ${dayNames[weekday]} ${twoDigits(hour)}:${twoDigits(minute)} (${zone}).`;
}

/** Sentences, each after a space, that say what the offers of a rule that fired gave, in German. */
function germanOffers({ _id, actions }: Pick<Rule, '_id' | 'actions'>, applied: readonly AppliedOffer[]): string {
  const codes = actions.flatMap((action) => (action.type === 'applyOffer' ? [action.offer] : []));
  return [...new Set(codes)]
    .map((code) => ` Das Angebot ${germanValue(code)} ${whatItGave(code, _id, applied)}.`)
    .join('');
}

function whatItGave(code: string, rule: Rule['_id'], appliedOffers: readonly AppliedOffer[]): string {
  const applied = appliedOffers.find((each) => each.code === code);
  if (!applied) return 'wurde nicht angewendet';
  if (applied.reason !== undefined) return `wurde nicht angewendet: ${applied.reason}`;
  if (applied.rule && !applied.rule.equals(rule)) return 'hat eine andere Regel angewendet';
  const { points, discount } = applied;
  if (points > 0) return `gab ${germanPoints(points)}`;
  return discount > 0 ? `gab einen Rabatt von ${germanNumber(discount)}` : 'wurde angewendet';
}
