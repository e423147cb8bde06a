import { localDay } from '../calendar/localDay';
import type { Author } from '../db/records';
import { type Settled, settle } from '../points/ledger/settle';
import type { MetricEntry } from '../records/aggregates/metricEvents';
import { changeMember } from './changeMember';
import type { MemberState } from './memberState';
import { settleTiers } from './moveTiers';

/** Releases and expires what is due of a member, lots and tiers, before anything else happens to it. */
export function settleState(state: MemberState, author: Author, now: Date): SettledCounts {
  if (!state.doc.nextDue || state.doc.nextDue > now || state.author) return { released: 0, tiers: 0, expired: 0 };
  const tiers = settleTiers(state);
  const settled = settle(state.ledger);
  changeMember(state, author, expiryMetrics(state, settled), now);
  return { released: settled.released, tiers, expired: settled.expired.length };
}

/** The metrics of expired points, on the day of their expiry. */
export function expiryMetrics(
  { doc, ledger }: Pick<MemberState, 'doc' | 'ledger'>,
  { expired }: { expired: readonly Pick<Settled['expired'][number], 'purse' | 'points' | 'date'>[] },
): MetricEntry[] {
  const member = doc._id;
  return expired.flatMap(({ purse, points, date }): MetricEntry[] => {
    const day = localDay(date, ledger.timezone);
    const { name } = ledger.purse(purse);
    return [
      { member, metric: 'pointsExpired', value: points, day },
      { member, metric: `pointsExpired:${name}`, value: points, day },
    ];
  });
}

/** How many lots were released and expired, and how many tiers renewed, downgraded or ended. */
export interface SettledCounts {
  released: number;
  tiers: number;
  expired: number;
}
