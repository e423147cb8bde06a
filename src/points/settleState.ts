import type { MetricEntry } from '../aggregates/metricEvents';
import type { Author } from '../db/records';
import { utcDay } from '../aggregates/utcDay';
import { changeMember } from './changeMember';
import type { MemberState } from './memberState';

/** Releases and expires what is due in a member's ledger before anything else happens to it (DESIGN 9). */
export function settleState(state: MemberState, author: Author, now: Date): SettledCounts {
  if (!state.doc.nextDue || state.doc.nextDue > now || state.author) return { released: 0, expired: 0 };
  const settled = state.ledger.settle(now);
  const member = state.doc._id;
  const metrics = settled.expired.flatMap(({ purse, points, date }): MetricEntry[] => {
    const day = utcDay(date);
    const name = state.ledger.purse(purse).name;
    return [
      { member, metric: 'pointsExpired', value: points, day },
      { member, metric: `pointsExpired:${name}`, value: points, day },
    ];
  });
  changeMember(state, author, metrics, now);
  return { released: settled.released.length, expired: settled.expired.length };
}

/** How many lots were released and expired. */
export interface SettledCounts {
  released: number;
  expired: number;
}
