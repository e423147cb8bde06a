import type { ObjectId } from 'bson';
import type { Member } from './member';

/** When a member joined its segments. */
type SegmentDates = NonNullable<Member['segmentDates']>;

/**
 * The dates on which a member joined its segments, after a change of the segments at a date.
 * @param before the segments before the change; `segmentDates` says when the member joined them, if known
 */
export function updateSegmentDates(
  segments: readonly ObjectId[],
  { before, segmentDates }: { before: readonly ObjectId[]; segmentDates: SegmentDates },
  at: Date,
): SegmentDates {
  return segments.flatMap((segment) => {
    if (!before.some((each) => each.equals(segment))) return [{ segment, since: at }];
    return segmentDates.find((each) => each.segment.equals(segment)) ?? [];
  });
}
