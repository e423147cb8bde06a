import type { ObjectId } from 'bson';
import type { Effect } from '#engine/rules/actions/list';
import { decide } from '#engine/rules/decide/decide';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import { noLists } from '#engine/rules/evaluate/resolvedLists';
import { indexRules } from '#engine/rules/evaluate/ruleSet';
import { notEnriched } from '#engine/rules/format/enriched';
import type { Rule } from '#engine/rules/format/rule';
import { type ProcessedActivity, type PurseChange, plainOutcome } from '#engine/rules/simulate/processedActivity';
import { Simulation } from '#engine/rules/simulate/simulation';
import type { Activity } from '#records/activities/activity';
import { memberId, noon, programId, TestTarget } from './builders';

/** Records the points that each rule moved, as a ledger does. */
class RecordingTarget extends TestTarget {
  readonly changes = new Map<string, PurseChange[]>();

  override apply(effect: Effect, rule?: Rule) {
    const refused = super.apply(effect);
    if (refused || !rule || (effect.type !== 'addPoints' && effect.type !== 'redeemPoints')) return refused;
    const points = effect.type === 'addPoints' ? effect.points : -effect.points;
    this.changes.set(rule.key, [...(this.changes.get(rule.key) ?? []), { purse: effect.purse, points }]);
    return undefined;
  }
}

const program = { _id: programId, code: 'demo', timezone: 'UTC' };

/** The state of a member when activities were processed. */
export interface Was {
  member?: Record<string, unknown>;
  metrics?: Record<string, number>;
  memberId?: ObjectId;
  balance?: number;
}

/** Processes activities one after the other, with limits. Returns them as their histories would store them. */
export async function processed(rules: readonly Rule[], input: readonly { activity: Activity; was?: Was }[]) {
  const past: ProcessedActivity[] = [];
  const usage = new Map<string, number>();
  const evaluator = compiledEvaluator();
  const set = indexRules(rules);
  for (const { activity, was = {} } of input) {
    const target = new RecordingTarget(was.balance ?? 0);
    Object.assign(target.member, was.member);
    Object.assign(target.metrics, was.metrics);
    const own = { activity, memberId: was.memberId ?? memberId, program, now: noon, enriched: notEnriched };
    const decision = await decide({ ...own, rules: set, usage, evaluator, target, lists: noLists });
    for (const { id, amount } of decision.usage) {
      usage.set(id.toHexString(), (usage.get(id.toHexString()) ?? 0) + amount);
    }
    const fired = decision.errors.length > 0 ? [] : decision.kept.filter((match) => match.fired);
    const awards = fired.map(({ key }) => ({ key, changes: target.changes.get(key) ?? [] }));
    past.push({ ...own, facts: decision.factsRead, awards, usage: decision.usage, outcome: plainOutcome });
  }
  return past;
}

/** Simulates changed rules over processed activities. */
export async function simulated(
  inForce: readonly Rule[],
  changed: readonly Rule[],
  past: readonly ProcessedActivity[],
) {
  const purses = [{ program: programId, name: 'Points', costPerPoint: 0.01 }];
  const simulation = new Simulation({ inForce, changed, purses });
  for (const each of past) await simulation.add(each);
  return simulation.result();
}
