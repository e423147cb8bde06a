import type { RegexStep } from './readRegex';

/** The size of the strings in one record that a pattern is matched against. */
export interface RegexTexts {
  /** Most characters of one string. */
  length: number;
  /** Most strings; more than one in lists. */
  count: number;
}

/**
 * Computes the greatest number of comparisons for matching a pattern against the strings of a record
 * (docs/decisions/0034 has the proof). PCRE tries every way to divide a string among the repeated steps, from every
 * place where a match can begin. Each step compares its characters once for each way that leads to it.
 * @param areLines true with option `m`: `^` matches the start of every line
 * @returns the cost of each alternative
 */
export function regexCosts(rows: readonly RegexStep[][], areLines: boolean, { length, count }: RegexTexts): number[] {
  const anchored = rows.map(([first]) => first?.text === '^' && !areLines);
  const looking = anchored.every((isAnchored) => isAnchored) ? 1 : length;
  return rows.map((row, index) => {
    // PCRE is fast at finding where a match may begin, except at starts of lines.
    const cost = anchored[index]
      ? looking + rowCost(row, length)
      : rowCost([{ ...anyBefore, weight: areLines ? 1 : 0.5 }, ...row], length);
    return count * cost;
  });
}

/** The step over the characters before a match that can begin anywhere. */
const anyBefore: RegexStep = { text: '', weight: 1, min: 0, max: Number.POSITIVE_INFINITY };

function rowCost(row: readonly RegexStep[], length: number): number {
  let [cost, unbounded, bounded, share] = [0, 0, 1, 1];
  let word: readonly RegexStep[] = [];
  for (const [index, { min, max, weight }] of row.entries()) {
    const ways = bounded * share * binomial(length + unbounded, unbounded);
    if (word.length > 0) {
      // The repeated step before the word has counted this letter already.
      word = word.slice(1);
    } else if (min === max) {
      cost += ways * Math.min(min, length) * weight;
    } else if (max < length) {
      bounded *= max - min + 1;
      cost += ways * (min + max - min + 1) * weight;
    } else {
      unbounded += 1;
      const ends = bounded * share * binomial(length + unbounded, unbounded);
      word = wordAfter(row, index);
      const matched = Math.min(1 / apart(word) + 2 / (length + 1), 1);
      cost += ways * Math.min(min, length) * weight + ends * (weight + wordCost(word, matched));
      share *= matched;
    }
  }
  return cost;
}

/** Comparisons for each place where a word may be. A word that is not there often differs only at its second letter. */
function wordCost([first, ...others]: readonly RegexStep[], matched: number): number {
  const rest = others.reduce((sum, { weight }) => sum + weight, 0);
  return first ? first.weight + Math.max(rest * matched, Math.min(rest, 1)) : 0;
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= k; i += 1) value *= (n - k + i) / i;
  return value;
}

/** Returns the single characters that directly follow a step. */
function wordAfter(row: readonly RegexStep[], index: number): readonly RegexStep[] {
  const rest = row.slice(index + 1);
  const end = rest.findIndex(({ letter, min, max }) => letter === undefined || min !== 1 || max !== 1);
  return end < 0 ? rest : rest.slice(0, end);
}

/**
 * Returns the least distance in characters between two places of a word in a string. The word cannot begin again before
 * its first letter comes again.
 */
function apart(word: readonly RegexStep[]): number {
  const again = word.findIndex(({ letter }, index) => index > 0 && letter === word[0]?.letter);
  return Math.max(again < 0 ? word.length : again, 1);
}
