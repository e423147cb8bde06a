import type { FactRef } from '../language/factRef';
import { resolvePath } from '../language/resolvePath';
import type { LevelStage } from './levelStage';

/** What the segments, tiers and hours of rules are compared with, as references to facts. */
export const eligibilityRefs = {
  segments: { fact: 'member', path: '$.segments' },
  tiers: { fact: 'member', path: '$.tier' },
  timezone: { fact: 'program', path: '$.timezone' },
} as const satisfies Record<string, FactRef>;

/** The values that decide whether the rules of a level are eligible, as far as they restrict who and when. */
export function eligibilityReads({ level, member, frame }: LevelStage): { ref: FactRef; value: unknown }[] {
  const { segments, tiers, timezone } = eligibilityRefs;
  const reads: { ref: FactRef; value: unknown }[] = [];
  const ofMember = (ref: typeof segments | typeof tiers) => ({ ref, value: resolvePath(member(), ref.path) });
  if (level.rules.some((rule) => rule.segments)) reads.push(ofMember(segments));
  if (level.rules.some((rule) => rule.tiers)) reads.push(ofMember(tiers));
  if (level.rules.some((rule) => rule.hours)) {
    reads.push({ ref: timezone, value: resolvePath(frame.readFact('program'), timezone.path) });
  }
  return reads;
}
