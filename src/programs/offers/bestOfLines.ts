import { bestSubset } from './bestSubset';
import { areCompatible, type CouponCandidate, gainWorth } from './compatibility';

/** What the line items take. */
export interface LineChoice<C> {
  worth: number;
  /** The offers that a line item takes. */
  used: ReadonlySet<C>;
}

/** Chooses for each line item the offers that give most to it, of those that are available. */
export interface LineChooser<C> {
  choose(available: readonly C[]): LineChoice<C>;
  /** Positions of the line items that take each offer. */
  positions(available: readonly C[]): ReadonlyMap<C, number[]>;
}

interface OfferOfLine<C> {
  offer: C;
  worth: number;
}

/** The best choice of a line item. */
interface LineBest<C> {
  worth: number;
  offers: C[];
}

/** Line items that may take the same offers, which give the same to each. */
interface EqualLines<C> {
  positions: number[];
  /** In order. */
  offers: OfferOfLine<C>[];
  /** Some of the offers do not go together. */
  isContested: boolean;
  /** The best choice by which of the offers are available, because the same ones are asked for repeatedly. */
  known: Map<string, LineBest<C>>;
}

/**
 * Prepares the choice for each line item.
 * @param ranked all offers, in order
 * @param most most offers of a line item
 */
export function bestOfLines<C extends CouponCandidate>(ranked: readonly C[], most: number): LineChooser<C> {
  const lines = groupEqualLines(ranked);
  return {
    choose(available) {
      const isAvailable = new Set(available);
      const used = new Set<C>();
      let worth = 0;
      for (const line of lines) {
        const best = bestChoice(line, isAvailable, most);
        worth += best.worth * line.positions.length;
        for (const offer of best.offers) used.add(offer);
      }
      return { worth, used };
    },
    positions(available) {
      const isAvailable = new Set(available);
      const taken = new Map<C, number[]>();
      for (const line of lines) {
        for (const offer of bestChoice(line, isAvailable, most).offers) {
          taken.set(offer, [...(taken.get(offer) ?? []), ...line.positions]);
        }
      }
      for (const positions of taken.values()) positions.sort((a, b) => a - b);
      return taken;
    },
  };
}

function groupEqualLines<C extends CouponCandidate>(ranked: readonly C[]): EqualLines<C>[] {
  const byPosition = new Map<number, OfferOfLine<C>[]>();
  for (const offer of ranked) {
    for (const [position, gain] of offer.byLine ?? []) {
      const offers = byPosition.get(position) ?? [];
      offers.push({ offer, worth: gainWorth(gain) });
      byPosition.set(position, offers);
    }
  }
  const rank = new Map(ranked.map((offer, index) => [offer, index]));
  const equal = new Map<string, EqualLines<C>>();
  for (const [position, offers] of byPosition) {
    const key = offers.map(({ offer, worth }) => `${rank.get(offer)} ${worth}`).join();
    const known = equal.get(key);
    if (known) known.positions.push(position);
    else equal.set(key, { positions: [position], offers, isContested: areContested(offers), known: new Map() });
  }
  return [...equal.values()];
}

function areContested<C extends CouponCandidate>(offers: readonly OfferOfLine<C>[]): boolean {
  return offers.some(({ offer }) => offers.some(({ offer: other }) => other !== offer && !areCompatible(offer, other)));
}

function bestChoice<C extends CouponCandidate>(
  { offers, isContested, known }: EqualLines<C>,
  isAvailable: ReadonlySet<C>,
  most: number,
): LineBest<C> {
  let key = '';
  for (const { offer } of offers) key += isAvailable.has(offer) ? '1' : '0';
  const before = known.get(key);
  if (before) return before;
  const options = offers.filter(({ offer }) => isAvailable.has(offer));
  const chosen = isContested ? bestAllowed(options, most) : greatest(options, most);
  const best = { worth: sumWorth(chosen), offers: chosen.map(({ offer }) => offer) };
  known.set(key, best);
  return best;
}

function bestAllowed<C extends CouponCandidate>(options: readonly OfferOfLine<C>[], most: number): OfferOfLine<C>[] {
  return bestSubset<OfferOfLine<C>>(options, {
    most,
    goTogether: (a, b) => areCompatible(a.offer, b.offer),
    alone: ({ worth }) => worth,
    together: sumWorth,
  });
}

/** The offers that give most; of equal ones, the first. */
function greatest<C>(options: readonly OfferOfLine<C>[], most: number): readonly OfferOfLine<C>[] {
  return options.length <= most ? options : [...options].sort((a, b) => b.worth - a.worth).slice(0, most);
}

function sumWorth(offers: readonly { worth: number }[]): number {
  return offers.reduce((sum, { worth }) => sum + worth, 0);
}
