import type { FactFrame } from '../evaluate/factFrame';
import type { Rule } from '../format/rule';
import type { LevelStage, StageOutcome } from './levelStage';

/** A rule whose conditions hold, or, with `error`, could not be evaluated. */
export interface StageHit {
  rule: Rule;
  error?: string | undefined;
  /** The facts with which they hold: one, or one for each line item of a rule with `perLine`. */
  frames: readonly { frame: FactFrame; line: number }[];
}

/** The rules of a level whose conditions hold, in rule order. */
export function hitsOf(stage: LevelStage, { once, lines }: StageOutcome): StageHit[] {
  const frames = [{ frame: stage.frame, line: 0 }];
  const plain = once.hits.map(({ rule, error }): StageHit => ({ rule, error, frames }));
  return stage.level.perLine ? inRuleOrder(stage, [...plain, ...lineHits(stage, lines)]) : plain;
}

function lineHits({ lines: frames }: LevelStage, lines: StageOutcome['lines']): StageHit[] {
  const hits = new Map<
    Rule,
    { rule: Rule; error?: string | undefined; frames: { frame: FactFrame; line: number }[] }
  >();
  lines.forEach((outcome, line) => {
    const frame = frames[line];
    if (!frame) return;
    for (const { rule, error } of outcome.hits) {
      const known = hits.get(rule) ?? { rule, frames: [] };
      known.error ??= error;
      known.frames.push({ frame, line });
      hits.set(rule, known);
    }
  });
  return [...hits.values()];
}

function inRuleOrder({ level }: LevelStage, hits: readonly StageHit[]): StageHit[] {
  const byRule = new Map(hits.map((hit) => [hit.rule, hit]));
  return level.rules.flatMap((rule) => byRule.get(rule) ?? []);
}
