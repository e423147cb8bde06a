import type { ObjectId } from 'bson';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { budgetCounter } from '#engine/rules/format/limits';
import type { Rule } from '#engine/rules/format/rule';

/** The share of a budget from which on it is low. */
const lowShare = 0.9;

/** A budget that a batch brings near its end. */
export interface LowBudget {
  rule: Pick<Rule, '_id' | 'key' | 'programId'>;
  points: number;
  used: number;
}

/** The used amount of a counter before and after a batch. */
interface CounterChange {
  id: ObjectId;
  seen: number;
  used: number;
}

type Budget = Pick<LowBudget, 'rule' | 'points'>;

const budgetCache = new WeakMap<RuleSet, ReadonlyMap<string, Budget>>();

/** The budgets whose use reaches nine tenths in this batch. A budget that was that low before is not among them. */
export function lowBudgets(ruleSet: RuleSet | undefined, counters: readonly CounterChange[]): LowBudget[] {
  if (!ruleSet || counters.length === 0) return [];
  const budgets = budgetCache.get(ruleSet) ?? indexBudgets(ruleSet);
  if (budgets.size === 0) return [];
  return counters.flatMap(({ id, seen, used }) => {
    const budget = budgets.get(id.toHexString());
    if (!budget) return [];
    const from = budget.points * lowShare;
    return seen < from && used >= from ? [{ ...budget, used }] : [];
  });
}

function indexBudgets(ruleSet: RuleSet): ReadonlyMap<string, Budget> {
  const budgets = new Map<string, Budget>();
  for (const rule of ruleSet.rules) {
    if (rule.budget) budgets.set(budgetCounter(rule, 0).key, { rule, points: rule.budget.points });
  }
  budgetCache.set(ruleSet, budgets);
  return budgets;
}
