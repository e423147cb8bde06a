import { compiledEvaluator } from '../evaluate/compiledEvaluator';
import type { Evaluator } from '../evaluate/evaluator';
import { indexRules } from '../evaluate/ruleSet';
import { type EvaluableRules, evaluableRules } from './evaluableRules';
import type { ProcessedActivity } from './processedActivity';
import { simulatedAwards } from './simulatedAwards';
import type { SimulationInput } from './simulationInput';
import type { SimulationResult } from './simulationResult';
import { SimulationTally } from './simulationTally';
import { SimulationTooLarge } from './simulationTooLarge';
import type { SnapshotFacts } from './snapshotFacts';

/** Maximum number of counters of limits and budgets in the memory of a simulation. */
const countersMax = 2_000_000;

/**
 * Simulates a changed rule set over past activities. The activities must come in the order of their processing. Their
 * histories say what they awarded; the changed rules say what they would have awarded. Limits and budgets start unused.
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
  async add(past: ProcessedActivity): Promise<void> {
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

  /** The result of the activities added so far. */
  result(): SimulationResult {
    return this.tally.result();
  }

  private readonly rulesOf = ({ program, activity }: ProcessedActivity, facts: SnapshotFacts): EvaluableRules =>
    this.evaluable(program._id, activity.type, facts);
}
