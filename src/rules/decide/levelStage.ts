import type { EvaluateLevel, LevelOutcome } from '../evaluate/evaluator';
import { FactFrame } from '../evaluate/factFrame';
import type { ActivityLevel } from '../evaluate/ruleSet';
import type { ActivityFacts, ReadMember } from './activityFacts';
import type { DecideInput } from './decideInput';
import type { EligibilityInput } from './ineligible';

/** A priority level as one activity meets it. */
export interface LevelStage extends EligibilityInput {
  level: ActivityLevel;
  /** Its facts, as they are before anything of the level takes effect. */
  frame: FactFrame;
  /** The same for each line item; empty when no rule is evaluated for line items. */
  lines: readonly FactFrame[];
}

/** What came of the conditions of a level: of the rules evaluated once, and of the others for each line item. */
export interface StageOutcome {
  once: LevelOutcome;
  lines: readonly LevelOutcome[];
}

/** A level before its facts are read. */
export function stageOf(level: ActivityLevel, input: DecideInput, facts: ActivityFacts): LevelStage {
  const member = rememberMember(input);
  const { once, perLine } = level;
  const reader = (line?: number) => {
    const live = facts.reader(member, line);
    return input.recall?.(live, { priority: level.priority, line }) ?? live;
  };
  const frame = new FactFrame(once.facts, reader());
  const lines = perLine ? input.activity.lineItems.map((_, line) => new FactFrame(perLine.facts, reader(line))) : [];
  return { level, frame, lines, date: input.activity.date, local: facts.local, member };
}

/** Reads what the rules of a level look at; afterwards effects may change the member. */
export function readFacts({ level, frame, lines, member }: LevelStage): void {
  if (level.once.restricted || level.perLine?.restricted) member();
  frame.readAll();
  for (const line of lines) line.readAll();
}

/** Evaluates the conditions of a level whose facts are read; a promise only when the evaluator gives one. */
export function evaluateStage(
  { level, frame, lines }: LevelStage,
  evaluate: EvaluateLevel,
): StageOutcome | Promise<StageOutcome> {
  const once = evaluate(level.once, frame);
  const { perLine } = level;
  const outcomes = perLine ? [once, ...lines.map((line) => evaluate(perLine, line))] : [once];
  const ready = outcomes.filter((each): each is LevelOutcome => !(each instanceof Promise));
  return ready.length === outcomes.length ? stageOutcome(ready) : Promise.all(outcomes).then(stageOutcome);
}

function stageOutcome([once = nothing, ...lines]: readonly LevelOutcome[]): StageOutcome {
  return { once, lines };
}

const nothing: LevelOutcome = { hits: [], failedCondition: () => undefined };

function rememberMember({ target }: DecideInput): ReadMember {
  let member: ReturnType<ReadMember> | undefined;
  return () => {
    member ??= target.memberFacts();
    return member;
  };
}
