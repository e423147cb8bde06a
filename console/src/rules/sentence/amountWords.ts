import { isObject } from '../schema/fieldShape';
import type { Wording } from './wording';

/** Facts of which points are usually computed; the sentence calls them the amount. */
const plainAmounts: readonly string[] = ['activity $.value', 'lineItem $.itemAmount'];

/** What an action gives, in words: `2 Stars for every 100 of the amount`. `purse` names the points. */
export function amountWords(amount: unknown, purse: string, { translate, locale, factLabel }: Wording): string {
  const say = (key: string, values: Record<string, unknown> = {}) =>
    translate(`rules.sentence.amount.${key}`, { purse, ...values });
  const number = (value: unknown) => (typeof value === 'number' ? value.toLocaleString(locale) : '');
  if (typeof amount === 'number') return say('fixed', { points: number(amount) });
  if (!isObject(amount) || !isObject(amount.of) || typeof amount.of.fact !== 'string') return say('computed');
  const { fact, path } = amount.of;
  const of = plainAmounts.includes(`${fact} ${String(path)}`) ? say('plain') : factLabel(amount.of);
  const bounds = (['min', 'max'] as const).flatMap((name) =>
    typeof amount[name] === 'number' ? [say(name, { points: number(amount[name]) })] : [],
  );
  return [baseWords(amount, of, say, number), ...bounds].join(', ');
}

function baseWords(
  { of, times = 1, every, points }: Readonly<Record<string, unknown>>,
  ofWords: string,
  say: (key: string, values?: Record<string, unknown>) => string,
  number: (value: unknown) => string,
): string {
  if (every !== undefined) return say('steps', { points: number(points), every: number(every), of: ofWords });
  if (typeof times !== 'number') return say('computed');
  const isOfPoints = isObject(of) && of.fact === 'pointsOfActivity';
  // What a rule gives comes on top, so once more the points that there are is twice the points.
  return isOfPoints
    ? say('multiplied', { times: number(times + 1) })
    : say('multiple', { times: number(times), of: ofWords });
}
