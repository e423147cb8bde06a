import type { Limit, Rule } from '../format/rule';
import { plural } from '../words/amountText';

/** A limit in words: `500 points per member and day`. */
export function limitPhrase({ what, per, period, max }: Limit): string {
  const amount = what === 'points' ? plural(max, 'point') : plural(max, 'time');
  const whose = per === 'program' ? 'in the whole program' : `per ${per}`;
  if (period === 'lifetime') return `${amount} ${whose}`;
  return `${amount} ${whose} and ${period}`;
}

/** The hours of a rule in words: `on Sat, Sun from 18:00 to 22:00`. */
export function hoursPhrase({ days, from, to }: NonNullable<Rule['hours']>): string {
  const on = days ? [`on ${days.join(', ')}`] : [];
  const between = from || to ? [`from ${from ?? '00:00'} to ${to ?? '24:00'}`] : [];
  return [...on, ...between].join(' ');
}
