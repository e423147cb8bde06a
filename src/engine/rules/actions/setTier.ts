import { Type } from '@sinclair/typebox';
import { snapWords, termWords } from '#base/calendar/termWords';
import { message } from '#base/common/messages/message';
import { count, record, text } from '#base/schema/atoms';
import { type TierTerm, tierTermShape } from '#records/points/terms';
import type { FactRef } from '../language/factRef';
import { germanAmount } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { type ActionCheck, defineAction } from './action';

const keepShape = record(
  {
    metric: text(150, { description: 'Counted from the day of the activity on, until the level ends' }),
    atLeast: count({ minimum: 1, description: 'Who reaches it in this time keeps the level' }),
  },
  { description: 'A challenge; needs until or for' },
);

type Keep = Readonly<{ metric: string; atLeast: number }>;

/** Sets the member's level in a tier policy, for good or for a time. */
export const setTier = defineAction({
  type: 'setTier',
  description:
    'Puts the member at a level of a tier policy, up or down, or gives the level for a time, which never lowers the member; rules of lower priority see it',
  params: {
    policy: text(100, { description: 'Name of the tier policy' }),
    level: text(100, { description: 'Name of the level' }),
    until: Type.Optional(
      Type.String({
        format: 'date',
        maxLength: 10,
        description: "The last day, YYYY-MM-DD in the program's time zone",
      }),
    ),
    for: Type.Optional({ ...tierTermShape, description: "How long, from the activity's date; in place of until" }),
    keep: Type.Optional(keepShape),
  },
  names: ({ policy, level }) => [
    { at: 'policy', kind: 'tierPolicy', name: policy },
    { at: 'level', kind: 'tierLevel', name: level, policy },
  ],
  reads: ({ keep }) => (keep ? [daySum(keep)] : []),
  check: checkTimes,
  onCancel: 'stays',
  words: {
    en: ({ policy, level, ...time }) =>
      `set the level in ${valueText(policy)} to ${valueText(level)}${timeText(time)}${keepText(time.keep)}`,
    de: ({ policy, level, ...time }) =>
      `Stufe in ${germanValue(policy)} auf ${germanValue(level)} setzen${germanTime(time)}${germanKeep(time.keep)}`,
  },
  effects({ type, policy, level, until, for: term, keep }, { readFact }) {
    // The target counts for itself. The history records the sum, so that a simulation knows all that the rule reads.
    if (keep) readFact(daySum(keep));
    return [{ type, policy, level, ...(until && { until }), ...(term && { for: term }), ...(keep && { keep }) }];
  },
  apply: (target, change, rule) => target.setTier(change, rule),
});

/** The sum of the activity's day: what the member had counted for a challenge before the activity. */
function daySum({ metric }: Keep): FactRef {
  return { fact: 'aggregate', params: { metric, period: 'day' } };
}

/** The level ends at the midnight after its last day, which must be a date that the service accepts. */
const lastDay = '9999-12-30';

function checkTimes({ until, for: term, keep }: { until?: string; for?: TierTerm; keep?: Keep }, check: ActionCheck) {
  if (until !== undefined && until > lastDay) check.error(['until'], message('rules.lastDay', { lastDay }));
  if (until !== undefined && term) check.keyError(['for'], message('rules.untilAndFor'));
  if (term && term.value === 0 && !term.snap) check.error(['for', 'value'], message('rules.zeroNeedsSnap'));
  if (!keep) return;
  if (until === undefined && !term) check.keyError(['keep'], message('rules.challengeNeedsTime'));
  check.fact(['keep'], daySum(keep));
}

/** Another version of the service may have written these params, so nothing of them is certain. */
function timeText({ until, for: time }: Readonly<Record<string, unknown>>): string {
  if (typeof until === 'string') return ` until ${valueText(until)}`;
  const { value, unit, snap }: Readonly<Record<string, unknown>> = { ...Object(time) };
  if (typeof value !== 'number' || typeof unit !== 'string') return '';
  const end = snapWords(snap, 'en');
  const term = termWords(value, unit, 'en');
  if (end === undefined) return ` for ${term}`;
  return value === 0 ? ` ${end}` : ` ${end} ${term} later`;
}

function keepText(keep: unknown): string {
  const { metric, atLeast }: Readonly<Record<string, unknown>> = { ...Object(keep) };
  if (metric === undefined) return '';
  return `, kept by who has at least ${valueText(atLeast)} of the metric ${valueText(metric)} in this time`;
}

function germanTime({ until, for: time }: Readonly<Record<string, unknown>>): string {
  if (typeof until === 'string') return ` bis ${germanValue(until)}`;
  const { value, unit, snap }: Readonly<Record<string, unknown>> = { ...Object(time) };
  if (typeof value !== 'number' || typeof unit !== 'string') return '';
  const end = snapWords(snap, 'de');
  const term = termWords(value, unit, 'de');
  if (end === undefined) return ` für ${term}`;
  return value === 0 ? ` ${end}` : ` ${end}, ${term} später`;
}

function germanKeep(keep: unknown): string {
  const { metric, atLeast }: Readonly<Record<string, unknown>> = { ...Object(keep) };
  if (metric === undefined) return '';
  return `; wer in dieser Zeit mindestens ${germanAmount(atLeast)} der Kennzahl ${germanValue(metric)} hat, behält sie`;
}
