import type { ActingRule, Refusal } from '../../rules/actions/actionTarget';
import type { ActivityChanges } from '../state/activityChanges';

/** Segments that a member may be in at most. */
const segmentsMax = 200;

/** Puts the member into a static segment or takes it out; nothing happens when it is so already. */
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
  changes.setOwn({ segments: isIn ? [...before, id] : others });
  changes.log.record(type, rule, { segment });
  return undefined;
}

function failed(key: string, what: string) {
  return { code: 2900, message: `Rule ${key} ${what}`, status: 422 };
}
