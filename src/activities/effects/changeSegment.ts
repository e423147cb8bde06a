import type { ActivityChanges } from '#activities/state/activityChanges';
import { type Message, message } from '#base/common/messages/message';
import type { ActingRule, Refusal } from '#engine/rules/actions/actionTarget';
import { updateSegmentDates } from '#records/members/segmentDates';

/** Most segments of a member. */
const segmentsMax = 200;

/** Adds the member to a static segment or removes it. Does nothing when the member is in the wanted state already. */
export function changeSegment(
  changes: ActivityChanges,
  { type, segment, isIn }: { type: string; segment: string; isIn: boolean },
  rule: ActingRule,
): Refusal {
  const id = changes.input.context.segments.idOf(segment);
  if (!id) return failed(rule, message('activities.segmentGone', { segment }));
  const before = changes.memberDoc().segments;
  const others = before.filter((each) => !each.equals(id));
  const wasIn = others.length < before.length;
  if (wasIn === isIn) return undefined;
  if (isIn && before.length >= segmentsMax)
    return failed(rule, message('activities.tooManySegments', { max: segmentsMax }));
  const segments = isIn ? [...before, id] : others;
  const { segmentDates = [] } = changes.memberDoc();
  changes.setOwn({
    segments,
    segmentDates: updateSegmentDates(segments, { before, segmentDates }, changes.input.activity.date),
  });
  changes.log.record(type, rule, { segment });
  return undefined;
}

function failed({ key }: ActingRule, fault: Message) {
  return { code: 2900, ...message('activities.ruleFault', { rule: key, fault }), status: 422 };
}
