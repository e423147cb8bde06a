import { ObjectId } from 'bson';
import type { Effect } from '#engine/rules/actions/list';
import { decide } from '#engine/rules/decide/decide';
import type { DecideInput, EffectTarget } from '#engine/rules/decide/decideInput';
import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import { noLists } from '#engine/rules/evaluate/resolvedLists';
import { indexRules } from '#engine/rules/evaluate/ruleSet';
import { notEnriched } from '#engine/rules/format/enriched';
import type { Rule } from '#engine/rules/format/rule';
import type { MetricSum } from '#engine/rules/language/factParams';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError } from '#records/activities/activityHistory';

export const programId = new ObjectId('0123456789abcdef01234567');
export const memberId = new ObjectId('89abcdef0123456789abcdef');
export const noon = new Date('2026-03-11T12:00:00.000Z');

/** A rule that awards one point per unit of value, with the changes of a test. */
export function rule(changes: Partial<Rule> = {}): Rule {
  const key = changes.key ?? 'base';
  return {
    _id: new ObjectId(),
    version: 1,
    file: `demo/${key}.json`,
    position: 0,
    programId,
    programCode: 'demo',
    key,
    name: `Rule ${key}`,
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 1,
    conditions: { all: [] },
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
    ...changes,
  };
}

/** A rule that awards a fixed number of points. */
export function award(key: string, points: number, changes: Partial<Rule> = {}): Rule {
  return rule({ key, actions: [{ type: 'addPoints', purse: 'Points', points }], ...changes });
}

export function activity(changes: Partial<Activity> = {}): Activity {
  return { type: 'Accrual', date: noon, value: 100, lineItems: [], ...changes };
}

/** An effect target that records effects and has a single balance. It refuses a balance below zero. */
export class TestTarget implements EffectTarget {
  readonly effects: Effect[] = [];
  hasProducts = false;
  constructor(
    public balance = 0,
    readonly member: Record<string, unknown> = {},
    /** Sums by metric and period: `spend month`. */
    readonly metrics: Record<string, number> = {},
  ) {}

  metric({ metric, period }: MetricSum): number {
    return this.metrics[`${metric} ${textOf(period)}`] ?? 0;
  }

  /** Given as `before spend month`; else 0. */
  metricBefore({ metric, period }: MetricSum): number {
    return this.metrics[`before ${metric} ${textOf(period)}`] ?? 0;
  }

  /** The member of a test may have `lastVisit`. */
  lastVisit(): Date | undefined {
    return this.member.lastVisit instanceof Date ? this.member.lastVisit : undefined;
  }

  apply(effect: Effect): ProcessingError | undefined {
    if (effect.type === 'redeemPoints' && effect.points > this.balance) {
      return { code: 2100, message: 'Not enough points', status: 422 };
    }
    if (effect.type === 'addPoints') this.balance += effect.points;
    if (effect.type === 'redeemPoints') this.balance -= effect.points;
    if (effect.type === 'lookupProducts') this.hasProducts = true;
    this.effects.push(effect);
    return undefined;
  }

  memberFacts(): Record<string, unknown> {
    return {
      segments: [],
      tier: {},
      tierNumber: {},
      purse: { Points: { availBalance: this.balance } },
      ...this.member,
    };
  }
}

function textOf(period: MetricSum['period']): string {
  return typeof period === 'string' ? period : JSON.stringify(period);
}

export type Scene = Partial<Omit<DecideInput, 'rules' | 'target'>> & { target?: TestTarget };

/** Decides an activity with these rules. Default: an accrual with the value 100 at noon UTC. */
export async function decideWith(rules: readonly Rule[], scene: Scene = {}) {
  const target = scene.target ?? new TestTarget();
  const decision = await decide({
    activity: activity(),
    memberId,
    program: { _id: programId, code: 'demo', timezone: 'UTC' },
    now: noon,
    lists: noLists,
    enriched: notEnriched,
    usage: new Map(),
    evaluator: compiledEvaluator(),
    ...scene,
    rules: indexRules(rules),
    target,
  });
  return { decision, target, points: target.balance };
}
