import type { Limit } from '../format/limitShape';
import type { Rule } from '../format/rule';
import { plural } from '../words/amountText';
import { valueText } from '../words/valueText';

/** A limit in words: `500 points per member and day`. */
export function limitPhrase({ what, per, period, max, limitGroup }: Limit): string {
  const amount =
    what === 'amount' ? `the first ${max} of what earns` : plural(max, what === 'points' ? 'point' : 'time');
  const scopeText = per === 'program' ? 'in the whole program' : `per ${per}`;
  const together = limitGroup === undefined ? '' : `, together with all limits of the group ${valueText(limitGroup)}`;
  return `${amount} ${scopeText}${periodPhrase(period)}${together}`;
}

function periodPhrase(period: Limit['period']): string {
  if (typeof period === 'string') return period === 'lifetime' ? '' : ` and ${period}`;
  if ('last' in period) return ` in any ${plural(period.last, period.unit)}`;
  return 'from' in period ? ` from ${period.from} to ${period.to}` : ' and year since enrolment';
}

/** The hours of a rule in words: `on Sat, Sun from 18:00 to 22:00`. */
export function hoursPhrase({ days, from, to, clock }: NonNullable<Rule['hours']>): string {
  const on = days ? [`on ${days.join(', ')}`] : [];
  const between = from || to ? [`from ${from ?? '00:00'} to ${to ?? '24:00'}`] : [];
  return [...on, ...between, ...(clock === 'location' ? ['at the location'] : [])].join(' ');
}
