import { type Static, Type } from '@sinclair/typebox';
import { count, objectId, oneOf, record, text } from '#base/schema/atoms';

/** The occasions that the calendar brings (docs/design/occasions.md). */
export const timedOccasionTypes = ['PointsExpiring', 'Birthday', 'Anniversary', 'Scheduled'] as const;

/** The activity types that the service posts to itself. Clients cannot post them. */
export const occasionTypes = [
  'TierReached',
  'TierLost',
  'PointsExpired',
  'MemberEnrolled',
  'RewardIssued',
  'ReferralCompleted',
  ...timedOccasionTypes,
] as const;

export type OccasionType = (typeof occasionTypes)[number];
export type TimedOccasionType = (typeof timedOccasionTypes)[number];

const known: ReadonlySet<string> = new Set(occasionTypes);
const timed: ReadonlySet<string> = new Set(timedOccasionTypes);

/** Tells whether the service itself posts activities of this type. */
export function isOccasionType(type: string): type is OccasionType {
  return known.has(type);
}

/** Tells whether the calendar brings occasions of this type. */
export function isTimedOccasionType(type: string): type is TimedOccasionType {
  return timed.has(type);
}

/** The longest chain of occasions that each caused the next. A further one is refused. */
export const occasionDepthMax = 3;

const optional = Type.Optional;

/** What an occasion was. Each type fills in the fields that it needs. */
export const occasionShape = record(
  {
    policy: optional(text(100, { description: 'Tier policy of the level' })),
    level: optional(text(100, { description: 'The level since then; absent when none is left' })),
    from: optional(text(100, { description: 'The level before; absent when there was none' })),
    why: optional(text(20, { description: 'Why the level changed, as in the tier history' })),
    purse: optional(text(100, { description: 'Purse of the points' })),
    points: optional(count({ description: 'Points that expire or expired' })),
    on: optional(
      Type.String({
        format: 'date',
        maxLength: 10,
        description: 'The day of expiry, birthday or anniversary: YYYY-MM-DD',
      }),
    ),
    years: optional(count({ description: 'Which birthday or anniversary it is' })),
    reward: optional(text(100, { description: 'Code of the reward' })),
    code: optional(text(100, { description: 'The code that was issued to the member' })),
    role: optional(oneOf(['referrer', 'referred'], { description: 'Which of the two the member is' })),
    other: optional(objectId('Member', { description: 'The other member of the referral' })),
    schedule: optional(text(300, { description: 'The schedule of the rules that it is for, in words' })),
    cause: optional(objectId('ActivityHistory', { description: 'The activity that caused it' })),
    depth: optional(count({ description: 'Its place in a chain of occasions that cause each other, from 1' })),
  },
  { description: 'Of an activity that the service posted to itself: what the occasion was' },
);

/** What an occasion was, in its activity. */
export type Occasion = Readonly<Static<typeof occasionShape>>;
