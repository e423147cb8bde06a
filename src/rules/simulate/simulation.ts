import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import { indexRules } from '../evaluate/ruleSet';
import { type EvaluableRules, evaluableRules } from './evaluableRules';
import type { PastActivity } from './pastActivity';
import type { RecalledFacts } from './recalledFacts';
import { simulatedAwards } from './simulatedAwards';
import type { SimulationInput } from './simulationInput';
import type { SimulationResult } from './simulationResult';
import { SimulationTally } from './simulationTally';
import { SimulationTooLarge } from './simulationTooLarge';

/** Counters of limits and budgets that a simulation keeps. */
const countersMax = 2_000_000;

/**
 * Simulates a changed rule set over past activities, given in the order in which they were processed. What they
 * awarded stands in their histories; what they would have, the changed rules say, with limits and budgets that begin
 * unused.
 */
export class Simulation {
  private readonly tally: SimulationTally;
  private readonly usage = new Map<string, number>();
  private readonly evaluator: Evaluator = compiledEvaluator();
  private readonly evaluable: ReturnType<typeof evaluableRules>;

  constructor(input: SimulationInput) {
    this.tally = new SimulationTally(input);
    this.evaluable = evaluableRules(indexRules(input.changed));
  }

  /**
   * Evaluates the next activity.
   * @throws SimulationTooLarge when there are too many members or counters
   */
  async add(past: PastActivity): Promise<void> {
    const simulated = await simulatedAwards(past, {
      evaluator: this.evaluator,
      usage: this.usage,
      rulesOf: this.rulesOf,
    });
    for (const { id, amount } of simulated.usage) {
      const key = id.toHexString();
      this.usage.set(key, (this.usage.get(key) ?? 0) + amount);
    }
    if (this.usage.size > countersMax) throw new SimulationTooLarge('too many counters of limits: sample members');
    this.tally.add(past, simulated);
  }

  /** What came of the activities so far. */
  result(): SimulationResult {
    return this.tally.result();
  }

  private readonly rulesOf = ({ program, activity }: PastActivity, facts: RecalledFacts): EvaluableRules =>
    this.evaluable(program._id, activity.type, facts);
}
