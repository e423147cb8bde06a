import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import { indexRules, type RuleSet } from '../evaluate/ruleSet';
import type { Rule } from '../format/rule';
import type { DecideAgainState } from './decideAgain';
import { evaluableRules } from './evaluableRules';
import type { PastCancellation, ProcessedActivity } from './processedActivity';
import { ruleChanges, ruleKey } from './ruleChanges';
import { type SimulatedAwards, simulatedAwards } from './simulatedAwards';
import { SimulatedUsage } from './simulatedUsage';
import type { SimulationInput } from './simulationInput';
import type { SimulationResult } from './simulationResult';
import { SimulationTally } from './simulationTally';

/** One of the two rule sets that are compared, with its own counters. */
class Side {
  readonly usage = new SimulatedUsage();
  private readonly state: DecideAgainState;

  constructor(
    readonly set: RuleSet,
    evaluator: Evaluator,
  ) {
    const evaluable = evaluableRules(set);
    const { usage, windows } = this.usage.counters;
    this.state = {
      evaluator,
      usage,
      windows,
      rulesOf: ({ program, activity }, facts) => evaluable(program._id, activity.type, facts),
    };
  }

  async decide(past: ProcessedActivity): Promise<SimulatedAwards> {
    const awards = await simulatedAwards(past, this.state);
    this.usage.count(past, awards.usage);
    return awards;
  }
}

/**
 * Simulates a changed rule set over past activities, beside the rules in force. The activities must come in the order of
 * their processing. Both rule sets decide them in the same way, so rules that are the same give no difference. Limits
 * and budgets of both start unused.
 */
export class Simulation {
  private readonly tally: SimulationTally;
  private readonly before: Side;
  private readonly after: Side;
  private readonly changes: ReturnType<typeof ruleChanges>;
  private readonly same = new Map<string, boolean>();

  constructor(input: SimulationInput) {
    const evaluator = compiledEvaluator();
    const { inForce, changed, lookupTables } = input;
    this.changes = ruleChanges(inForce, changed);
    this.tally = new SimulationTally(input, this.changes);
    this.before = new Side(indexRules(inForce, lookupTables), evaluator);
    this.after = new Side(indexRules(changed, lookupTables), evaluator);
  }

  /**
   * Evaluates the next activity. One that was cancelled since only uses limits.
   * @throws SimulationTooLarge when there are too many members or counters
   */
  async add(past: ProcessedActivity): Promise<void> {
    const before = await this.before.decide(past);
    const after = this.isSame(past) ? before : await this.after.decide(past);
    if (!past.returned?.isWhole) this.tally.add(past, before, after);
  }

  /** Notes the next cancellation: it gives back what the original used of limits and budgets. */
  cancel(cancellation: PastCancellation): void {
    this.before.usage.giveBack(cancellation);
    this.after.usage.giveBack(cancellation);
  }

  /** The result of the activities added so far. */
  result(): SimulationResult {
    return this.tally.result();
  }

  /** Whether both rule sets have the same rules without limits for an activity, so that one evaluation is enough. */
  private isSame({ program: { _id }, activity: { type } }: ProcessedActivity): boolean {
    const place = `${_id.toHexString()} ${type}`;
    const known = this.same.get(place);
    if (known !== undefined) return known;
    const [before, after] = [this.before, this.after].map(({ set }) => set.forActivity(_id, type).rules);
    const isPlain = (rule: Rule) =>
      rule.limits === undefined &&
      !rule.budget &&
      this.changes.get(ruleKey(rule.programId, rule.key))?.change === 'unchanged';
    const keysOf = (rules: readonly Rule[] = []) => JSON.stringify(rules.map(({ key }) => key));
    const isSame = keysOf(before) === keysOf(after) && (before ?? []).every(isPlain);
    this.same.set(place, isSame);
    return isSame;
  }
}
