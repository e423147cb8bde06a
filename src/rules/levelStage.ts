import type { DecideInput } from './decide';
import type { EligibilityInput } from './eligibility';
import { FactFrame } from './factFrame';
import type { ActivityFacts, ReadMember } from './readFact';
import type { RuleLevel } from './ruleSet';

/** A priority level as one activity meets it. */
export interface LevelStage extends EligibilityInput {
  level: RuleLevel;
  /** Its facts, as they are before anything of the level takes effect. */
  frame: FactFrame;
}

/** A level before its facts are read. */
export function stageOf(level: RuleLevel, input: DecideInput, facts: ActivityFacts): LevelStage {
  const member = rememberMember(input);
  const frame = new FactFrame(level.facts, facts.reader(member));
  return { level, frame, date: input.activity.date, local: facts.local, member };
}

/** Reads what the rules of a level look at; afterwards effects may change the member. */
export function readFacts({ level, frame, member }: LevelStage): void {
  if (level.restricted) member();
  frame.readAll();
}

function rememberMember({ target }: DecideInput): ReadMember {
  let member: ReturnType<ReadMember> | undefined;
  return () => {
    member ??= target.memberFacts();
    return member;
  };
}
