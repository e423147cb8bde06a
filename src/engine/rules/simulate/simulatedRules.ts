import { sum } from '#engine/points/pointsOverflow';
import type { RuleDefinition } from '../format/rule';
import { withDifference } from './comparedSums';
import { keptPoints, type PastAward } from './processedActivity';
import { type ComparedRule, ruleKey } from './ruleChanges';
import type { UnknownOfRule } from './simulatedAwards';
import { rowsMax, type SimulationResult } from './simulationResult';

type RuleRow = SimulationResult['rules'][number];
type Side = { fired: number; points: number };
type Program = RuleDefinition['programId'];

/** The sums of one rule. */
interface RuleTally {
  rule: ComparedRule;
  before: Side;
  after: Side;
  notEvaluated: number;
  missing: Map<string, number>;
}

/** Adds up, for each rule, what it gives as it is in force and as it is changed. */
export class SimulatedRules {
  private readonly tallies = new Map<string, RuleTally>();

  constructor(private readonly rules: ReadonlyMap<string, ComparedRule>) {}

  /** Counts an activity for which a rule fires. */
  count(program: Program, { key, changes }: PastAward, side: 'before' | 'after'): void {
    const counted = this.tallyOf(program, key)[side];
    counted.fired += 1;
    for (const change of changes) counted.points = sum(counted.points, keptPoints(change));
  }

  /** Counts an activity for which a rule cannot be evaluated. */
  countMissing(program: Program, { rule, missing }: UnknownOfRule): void {
    const tally = this.tallyOf(program, rule.key);
    tally.notEvaluated += 1;
    for (const fact of missing) tally.missing.set(fact, (tally.missing.get(fact) ?? 0) + 1);
  }

  /** The rows of the result, largest difference first. */
  rows(): RuleRow[] {
    for (const [id, rule] of this.rules) if (rule.change !== 'unchanged') this.tally(id, rule);
    return [...this.tallies.values()]
      .map(makeRuleRow)
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || order(a, b))
      .slice(0, rowsMax);
  }

  private tallyOf(program: Program, key: string): RuleTally {
    const id = ruleKey(program, key);
    return this.tally(id, this.rules.get(id) ?? { programCode: '', key, name: key, change: 'removed' });
  }

  private tally(id: string, rule: ComparedRule): RuleTally {
    const known = this.tallies.get(id);
    if (known) return known;
    const none = () => ({ fired: 0, points: 0 });
    const made = { rule, before: none(), after: none(), notEvaluated: 0, missing: new Map() };
    this.tallies.set(id, made);
    return made;
  }
}

function order(a: RuleRow, b: RuleRow): number {
  if (a.program !== b.program) return a.program < b.program ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

/** Maximum number of missing facts in the row of a rule. */
const missingMax = 100;

function makeRuleRow({ rule, before, after, notEvaluated, missing }: RuleTally): RuleRow {
  const { programCode, key, name, change } = rule;
  const { difference } = withDifference({ before: before.points, after: after.points });
  const facts = [...missing].map(([fact, activities]) => ({ fact, activities })).slice(0, missingMax);
  return { program: programCode, key, name, change, before, after, difference, notEvaluated, missing: facts };
}
