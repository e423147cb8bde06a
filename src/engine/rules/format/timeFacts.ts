import { Type } from '@sinclair/typebox';
import { clockParams } from '../language/clock';
import { daysSinceParams } from '../language/daysSinceParams';
import type { FactDefinition, FactNames } from './factDefinition';

/** The facts that are times and occasions. Without names, no tier policy or segment is checked. */
export function timeFacts(names: Pick<FactNames, 'tiers' | 'segments' | 'querySegments'> | undefined) {
  const known = names && { tiers: names.tiers.map(({ name }) => name), segments: staticSegments(names) };
  return {
    dayOfWeek: {
      description: "Day of the activity's date in the program's time zone, Sunday 0",
      shape: Type.Integer({ minimum: 0, maximum: 6 }),
      params: clockParams,
    },
    hour: {
      description: "Hour of the activity's date in the program's time zone, 0 to 23",
      shape: Type.Integer({ minimum: 0, maximum: 23 }),
      params: clockParams,
    },
    isBirthday: {
      description: "The activity's date is the member's birthday (29 February: 28 February in other years)",
      shape: Type.Boolean(),
    },
    birthMonth: {
      description: "Month of the member's birth, 1 to 12; missing without a birth date",
      shape: Type.Integer({ minimum: 1, maximum: 12 }),
    },
    daysSince: {
      description:
        "Whole days in the program's time zone from an occasion to the activity's date: 0 on its day, negative before it; missing when there is none",
      shape: Type.Integer(),
      params: daysSinceParams(known),
    },
    isFirstActivity: { description: 'The member has no earlier Processed Accrual', shape: Type.Boolean() },
  } satisfies Record<string, FactDefinition>;
}

/** The segments that record when a member joined. */
export function staticSegments({
  segments,
  querySegments = [],
}: Pick<FactNames, 'segments' | 'querySegments'>): string[] {
  return segments.filter((name) => !querySegments.includes(name));
}
