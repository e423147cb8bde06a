import type { OfferLimits } from '#records/programs/program';
import { bestOfLines } from './bestOfLines';
import { bestSubset } from './bestSubset';
import { areCompatible, byPriority, type CouponCandidate, gainWorth } from './compatibility';

/** An offer or reward to apply. */
export interface AppliedCandidate<C> {
  candidate: C;
  /** Only of an offer `perLine`: positions of the line items that it is applied to. */
  lines?: number[];
}

/**
 * Chooses the offers and rewards to apply: of all that may be combined those that give most together, where a point
 * counts as one minor unit (docs/design/offers.md, "Combinations").
 * @returns those to apply, highest priority first, and the others
 */
export function bestCombination<C extends CouponCandidate>(
  candidates: readonly C[],
  { perActivity = Number.POSITIVE_INFINITY, perLine = Number.POSITIVE_INFINITY }: OfferLimits = {},
): { applied: AppliedCandidate<C>[]; lost: C[] } {
  const ranked = [...candidates].sort(byPriority);
  const isLimited = ranked.length > perActivity;
  // Two of which neither has a stack group or excludes others go together.
  const restricted = ranked.filter(isRestricted);
  const contested = ranked.filter((each) => isLimited || isContested(each, isRestricted(each) ? ranked : restricted));
  const free = ranked.filter((each) => !contested.includes(each));
  const lines = bestOfLines(ranked, perLine);
  const fitting = compatibleFilter(ranked);
  const chosen = bestSubset(contested, {
    most: perActivity,
    goTogether: (a, b) => isByLine(a, b) || areCompatible(a, b),
    alone: ({ gain }) => gainWorth(gain),
    together(some) {
      const { worth, used } = lines.choose(fitting([...free, ...some]));
      // An offer that no line item takes must not use up the limit.
      if (some.some((each) => each.byLine && !used.has(each))) return undefined;
      return some.reduce((sum, { byLine, gain }) => (byLine ? sum : sum + gainWorth(gain)), worth);
    },
  });
  const taken = lines.positions(fitting([...free, ...chosen]));
  const applied = ranked.flatMap((candidate): AppliedCandidate<C>[] => {
    if (!candidate.byLine) return free.includes(candidate) || chosen.includes(candidate) ? [{ candidate }] : [];
    const positions = taken.get(candidate);
    return positions ? [{ candidate, lines: positions }] : [];
  });
  const isApplied = new Set(applied.map(({ candidate }) => candidate));
  return { applied, lost: ranked.filter((each) => !isApplied.has(each)) };
}

/** Whether both are for single line items. These compete for each line item, and not for the activity. */
function isByLine(a: CouponCandidate, b: CouponCandidate): boolean {
  return a.byLine !== undefined && b.byLine !== undefined;
}

function isRestricted({ coupon: { record } }: CouponCandidate): boolean {
  return record.stackGroup !== undefined || record.excludes !== undefined;
}

/** An offer for the activity as a whole is contested by those that do not go with it. */
function isContested<C extends CouponCandidate>(candidate: C, all: readonly C[]): boolean {
  return !candidate.byLine && all.some((other) => other !== candidate && !areCompatible(candidate, other));
}

/**
 * Makes the filter that leaves, of chosen offers, those for single line items that go with the chosen ones for the
 * activity as a whole. It is asked repeatedly, so it compares each two only once.
 */
function compatibleFilter<C extends CouponCandidate>(ranked: readonly C[]): (chosen: readonly C[]) => C[] {
  const wholes = ranked.filter(({ byLine }) => !byLine);
  const byLine = ranked.filter((each) => each.byLine);
  const against = new Map(byLine.map((each) => [each, wholes.filter((whole) => !areCompatible(whole, each))]));
  return (chosen) => {
    const isChosen = new Set(chosen);
    return chosen.filter((each) => against.get(each)?.every((whole) => !isChosen.has(whole)));
  };
}
