import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { TierLevel } from '#records/programs/tierPolicy';

/**
 * Finds faults that the schema cannot find in the levels of a tier policy: names and numbers must be unique, and a
 * level with a higher number must have a higher threshold. Paths begin with `levels`.
 */
export function levelFaults(levels: readonly TierLevel[]): FieldError[] {
  return [...repeated(levels, 'name'), ...repeated(levels, 'number'), ...notRising(levels)];
}

function repeated(levels: readonly TierLevel[], field: 'name' | 'number'): FieldError[] {
  const seen = new Set<string | number>();
  return levels.flatMap((level, index) => {
    const isTaken = seen.has(level[field]);
    seen.add(level[field]);
    return isTaken ? [{ path: `levels.${index}.${field}`, kind: 'unique', ...message('tiers.otherLevel') }] : [];
  });
}

function notRising(levels: readonly TierLevel[]): FieldError[] {
  const rising = levels.map((level, index) => ({ ...level, index })).sort((a, b) => a.number - b.number);
  return rising.flatMap(({ number, threshold, index }, place) => {
    const below = rising[place - 1];
    if (!below || below.number === number || threshold > below.threshold) return [];
    const fault = message('tiers.aboveThreshold', { threshold: below.threshold, level: below.number });
    return [{ path: `levels.${index}.threshold`, kind: 'exclusiveMinimum', ...fault }];
  });
}
