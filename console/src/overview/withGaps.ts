import { fromInputText } from '../time/zones';
import type { ProgramReport } from './answers';
import type { Period } from './period';
import { addDays, dayOf } from './period';

type Step = ProgramReport['steps'][number];

const none = { activities: 0, failed: 0, value: 0, earned: 0, redeemed: 0, expired: 0, reversed: 0 };

/** The steps of a report by days, and steps with zeros for the days between them. Other steps are left as they are. */
export function withGaps({ steps, by }: ProgramReport, { fromDay, toDay }: Period, zone: string): Step[] {
  if (by !== 'day') return steps;
  const known = new Map(steps.map((step) => [dayOf(Date.parse(step.at), zone), step]));
  const filled: Step[] = [];
  for (let day = fromDay; day <= toDay; day = addDays(day, 1)) {
    const at = fromInputText(`${day}T00:00`, zone) ?? `${day}T00:00:00.000Z`;
    filled.push(known.get(day) ?? { at, ...none });
  }
  return filled;
}
