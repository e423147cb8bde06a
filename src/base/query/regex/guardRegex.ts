import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { type RegexStep, readRegex } from './readRegex';
import { type RegexTexts, regexCosts } from './regexCost';

/** A regular expression and the strings that it is matched against. */
export interface RegexUse {
  source: string;
  /** The letters of `$options`. */
  options: string;
  /** The strings of one record that it is matched against. */
  texts: RegexTexts;
  /** The name of the argument, for messages. */
  where: string;
}

/**
 * Checks a pattern and returns the form that MongoDB gets. The pattern must be valid, short, unambiguous, and of a
 * provably small cost on any record: MongoDB stops a slow search only between records. The result has the meaning of
 * what the client sent, but is written from the parsed pattern.
 * @throws ServiceError 1210
 */
export function guardRegex({ source, options, texts, where }: RegexUse): string {
  if (source.length > regexLimits.lengthMax) {
    throw malformed(message('query.regexLength', { where, max: regexLimits.lengthMax }));
  }
  const rows = readRegex(source, where).map((row) => withoutLooseEnds(row));
  const costs = regexCosts(rows, options.includes('m'), texts);
  if (costs.reduce((sum, cost) => sum + cost, 0) > regexLimits.costMax) {
    throw tooDear(rows[costs.indexOf(Math.max(...costs))] ?? [], texts, where);
  }
  return [...new Set(rows.map(regexText))].join('|');
}

/**
 * Checks the options of a regular expression: each of i, m and s at most once.
 * @throws ServiceError 1210
 */
export function guardRegexOptions(options: unknown, where: string): string {
  const isFit = typeof options === 'string' && /^[ims]{0,3}$/.test(options) && new Set(options).size === options.length;
  if (!isFit) throw malformed(message('query.regexOptions', { where }));
  return options;
}

function tooDear(row: readonly RegexStep[], { length, count }: RegexTexts, where: string) {
  const met = count > 1 ? message('query.textsOfLength', { count, length }) : message('query.textOfLength', { length });
  return malformed(message('query.regexTooSlow', { where, met, row: regexText(row) }));
}

/**
 * Reduces a repetition at either end to its minimum. More repetitions there never decide whether the pattern matches.
 */
function withoutLooseEnds(row: readonly RegexStep[]): RegexStep[] {
  const steps = row.map((step, index) => (index === 0 || index === row.length - 1 ? { ...step, max: step.min } : step));
  const kept = steps.filter(({ max }) => max > 0);
  return kept.length < steps.length ? withoutLooseEnds(kept) : kept;
}

function regexText(row: readonly RegexStep[]): string {
  return row.map(({ text, min, max }) => `${text}${repetition(min, max)}`).join('');
}

function repetition(min: number, max: number): string {
  if (min === 1 && max === 1) return '';
  if (max !== Number.POSITIVE_INFINITY) return min === max ? `{${min}}` : `{${min},${max}}`;
  return min < 2 ? (['*', '+'][min] ?? '') : `{${min},}`;
}

/** Limits of one regular expression of a read (docs/decisions/0034). */
const regexLimits = {
  /** Most characters of its source. */
  lengthMax: 256,
  /**
   * Most comparisons for matching one record. One takes at most 15 ns, so a record takes less than 0.1 s, as measured
   * (docs/decisions/0034).
   */
  costMax: 6_000_000,
} as const;
