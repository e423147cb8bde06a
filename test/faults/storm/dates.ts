import { momentOf } from '../../years/oracle/calendar';
import { stormZone } from './rules';

const dayMs = 86_400_000;
/** More than a year, so that all periods have other ones before them. */
const daysBack = 420;
const count = 60;

/** Moments at the local midnights of past days, some a millisecond before or after; the same for the same numbers. */
export function dayEdges(random: (n: number) => number): number[] {
  const today = Date.now() - (Date.now() % dayMs);
  return Array.from({ length: count }, () => {
    const midnight = today - (1 + random(daysBack)) * dayMs;
    return momentOf(midnight, stormZone) + random(3) - 1;
  });
}
