import type { ActivityChanges } from '#activities/state/activityChanges';
import type { ActingRule, Refusal } from '#engine/rules/actions/actionTarget';
import { segmentDatesOf } from '#records/members/segmentDates';

/** Most segments of a member. */
const segmentsMax = 200;

/** Adds the member to a static segment or removes it. Does nothing when the member is in the wanted state already. */
export function changeSegment(
  changes: ActivityChanges,
  { type, segment, isIn }: { type: string; segment: string; isIn: boolean },
  rule: ActingRule,
): Refusal {
  const id = changes.input.context.segments.idOf(segment);
  if (!id) return failed(rule.key, `names the segment ${segment}, which is gone or by a query`);
  const before = changes.memberDoc().segments;
  const others = before.filter((each) => !each.equals(id));
  const wasIn = others.length < before.length;
  if (wasIn === isIn) return undefined;
  if (isIn && before.length >= segmentsMax) return failed(rule.key, `finds the member in ${segmentsMax} segments`);
  const segments = isIn ? [...before, id] : others;
  const { segmentDates = [] } = changes.memberDoc();
  changes.setOwn({
    segments,
    segmentDates: segmentDatesOf(segments, { before, segmentDates }, changes.input.activity.date),
  });
  changes.log.record(type, rule, { segment });
  return undefined;
}

function failed(key: string, what: string) {
  return { code: 2900, message: `Rule ${key} ${what}`, status: 422 };
}
