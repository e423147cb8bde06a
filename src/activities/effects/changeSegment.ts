import type { SegmentEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Segments that a member may be in at most. */
const segmentsMax = 200;

/** Puts the member into a static segment or takes it out; nothing happens when it is so already. */
export const changeSegment: CarryOut<SegmentEffect> = (target, { type, segment }, rule) => {
  const id = target.input.context.segments.idOf(segment);
  if (!id) return failed(rule.key, `names the segment ${segment}, which is gone or by a query`);
  const before = target.memberDoc().segments;
  const others = before.filter((each) => !each.equals(id));
  const isIn = others.length < before.length;
  if (isIn === (type === 'addSegment')) return undefined;
  if (!isIn && before.length >= segmentsMax) return failed(rule.key, `finds the member in ${segmentsMax} segments`);
  target.setOwn({ segments: isIn ? others : [...before, id] });
  target.log.record(type, rule, { segment });
  return undefined;
};

function failed(key: string, what: string) {
  return { code: 2900, message: `Rule ${key} ${what}`, status: 422 };
}
