import type { GivenOffer } from '../explain/offerSentences';
import type { Rule } from '../format/rule';
import { germanNumber, germanPoints, germanValue } from '../words/german/germanValue';

/** Sentences, each after a space, that say what the offers of a rule that fired gave, in German. */
export function germanOffers({ _id, actions }: Pick<Rule, '_id' | 'actions'>, given: readonly GivenOffer[]): string {
  const codes = actions.flatMap((action) => (action.type === 'applyOffer' ? [action.offer] : []));
  return [...new Set(codes)]
    .map((code) => ` Das Angebot ${germanValue(code)} ${whatItGave(code, _id, given)}.`)
    .join('');
}

function whatItGave(code: string, rule: Rule['_id'], given: readonly GivenOffer[]): string {
  const applied = given.find((each) => each.code === code);
  if (!applied) return 'wurde nicht angewendet';
  if (applied.reason !== undefined) return `wurde nicht angewendet: ${applied.reason}`;
  if (applied.rule && !applied.rule.equals(rule)) return 'hat eine andere Regel angewendet';
  const { points, discount } = applied;
  if (points > 0) return `gab ${germanPoints(points)}`;
  return discount > 0 ? `gab einen Rabatt von ${germanNumber(discount)}` : 'wurde angewendet';
}
