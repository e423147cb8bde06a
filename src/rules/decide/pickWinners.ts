import type { Rule } from '../format/rule';

/** A rule whose conditions hold and that limits do not stop, with the points it would give. */
export interface Candidate {
  rule: Rule;
  points: number;
}

/** Groups whose first rule fired at a higher priority already. */
export type DecidedGroups = ReadonlySet<string>;

/**
 * Tells which candidates of one priority may fire: of each group with `pick` first, highest or lowest one, ties by rule
 * order. A rule behind one that fires with `stop` never competes, so a group is not lost to a rule that cannot run.
 */
export function pickWinners(candidates: readonly Candidate[], decided: DecidedGroups): Set<Rule> {
  let reach = candidates.length;
  for (;;) {
    const winners = winnersOf(candidates.slice(0, reach), decided);
    const stopsAt = candidates.findIndex(({ rule }) => rule.stop === true && winners.has(rule));
    if (stopsAt === -1 || stopsAt + 1 >= reach) return winners;
    reach = stopsAt + 1;
  }
}

function winnersOf(candidates: readonly Candidate[], decided: DecidedGroups): Set<Rule> {
  const best = new Map<string, Candidate>();
  const winners = new Set<Rule>();
  for (const candidate of candidates) {
    const { group, pick = 'all' } = candidate.rule;
    if (group === undefined || pick === 'all') winners.add(candidate.rule);
    else if (!decided.has(group)) best.set(group, better(best.get(group), candidate, pick));
  }
  for (const { rule } of best.values()) winners.add(rule);
  return winners;
}

function better(known: Candidate | undefined, next: Candidate, pick: 'first' | 'highest' | 'lowest'): Candidate {
  if (!known || pick === 'first') return known ?? next;
  const isBetter = pick === 'highest' ? next.points > known.points : next.points < known.points;
  return isBetter ? next : known;
}
