import type { ObjectId } from 'bson';
import type { MetricEntry } from '../aggregates/metricEvents';
import { utcDay } from '../aggregates/utcDay';
import { accrue } from '../points/accrue';
import { burn } from '../points/burn';
import type { Ledger } from '../points/ledger';
import { addTerm } from '../points/localCalendar';
import type { MemberState } from '../points/memberState';
import { PointsOverflow } from '../points/pointsOverflow';
import { expiryMetrics } from '../points/settleState';
import type { EffectTarget } from '../rules/decide';
import type { AddMetricEffect, AddPointsEffect, Effect, RedeemPointsEffect } from '../rules/effect';
import { memberFact } from '../rules/memberFact';
import type { Rule } from '../rules/rule';
import type { Activity } from './activity';
import type { ProcessingError, StoredEffects } from './activityHistory';
import { answeredPurse } from './answeredMember';

/** An entry of `result.log` (SPEC "Result object"). */
export interface LogEntry {
  action: string;
  rule?: ObjectId;
  results: unknown;
  time: Date;
  type: string;
}

/** What one activity works on: the member, its ledger for this activity alone, and who and when. */
export interface TargetInput {
  state: MemberState;
  ledger: Ledger;
  activity: Activity;
  activityId: ObjectId;
  now: Date;
}

/**
 * The ledger as the target of rules: effects change the ledger given, and are collected for the history, the log and
 * the metrics. Dropping the ledger drops every effect.
 */
export class LedgerTarget implements EffectTarget {
  readonly log: LogEntry[] = [];
  /** What it adds to metrics of the member. */
  readonly metrics: (MetricEntry & { expirationDate?: Date })[] = [];
  readonly effects: StoredEffects = { accrued: [], burned: [], debts: [], metrics: [], counters: [] };
  data: Record<string, unknown> = {};
  private facts: Readonly<Record<string, unknown>> | undefined;

  constructor(private readonly input: TargetInput) {}

  memberFacts(): Readonly<Record<string, unknown>> {
    const { state, ledger } = this.input;
    this.facts ??= memberFact({
      member: state.doc,
      purses: ledger.purses(),
      segments: [],
      tiers: [],
      processedAccruals: state.processedAccruals,
    });
    return this.facts;
  }

  apply(effect: Effect, rule: Rule): ProcessingError | undefined {
    this.facts = undefined;
    try {
      return this.carryOut(effect, rule);
    } catch (error) {
      if (!(error instanceof PointsOverflow)) throw error;
      return { code: 2900, message: `Rule ${rule.key} failed: ${error.message}`, status: 422 };
    }
  }

  private carryOut(effect: Effect, rule: Rule): ProcessingError | undefined {
    switch (effect.type) {
      case 'addPoints':
        return this.addPoints(effect, rule);
      case 'redeemPoints':
        return this.redeemPoints(effect, rule);
      case 'addMetric':
        this.addMetric(effect.metric, effect.value, this.endOf(effect));
        this.record(effect.type, rule, { metric: effect.metric, value: effect.value });
        return undefined;
      case 'setData':
        this.data = { ...this.data, ...effect.values };
        this.record(effect.type, rule, effect.values);
        return undefined;
      case 'log':
        this.record(effect.type, rule, effect.message);
        return undefined;
      default:
        return effect satisfies never;
    }
  }

  /** Ids of the accrual items that this activity awarded or burned. */
  touchedLots(): ObjectId[] {
    return [...this.effects.accrued, ...this.effects.burned].map(({ lot }) => lot);
  }

  /** True when it changed anything of the member. */
  isEffective(): boolean {
    return Object.values(this.effects).some((list) => list.length > 0);
  }

  /** The log as answered: of an activity that had no effect, only what rules wrote themselves. */
  shownLog(isProcessed: boolean): Record<string, unknown>[] {
    return this.log.filter(({ action }) => isProcessed || action === 'log').map((entry) => ({ ...entry }));
  }

  /** Adds to a metric on the day of the activity. */
  addMetric(metric: string, value: number, expirationDate?: Date): void {
    const { state, activity } = this.input;
    const day = utcDay(activity.date);
    const ends = expirationDate ? { expirationDate } : {};
    this.metrics.push({ member: state.doc._id, metric, value, day, ...ends });
    this.effects.metrics.push({ metric, value });
  }

  /** When the lifetime aggregate that a rule adds to ends, counted from the activity's date. */
  private endOf({ expires }: AddMetricEffect): Date | undefined {
    const { state, activity } = this.input;
    return expires && addTerm(activity.date, expires.value, expires.unit, state.program.timezone);
  }

  private addPoints({ purse, points, escrow, expiry, n }: AddPointsEffect, rule: Rule): ProcessingError | undefined {
    const { state, ledger, activity } = this.input;
    const policy = state.policies.find(({ name }) => name === purse);
    if (!policy) return unknownPurse(purse, rule);
    const lot = accrue(ledger, {
      purse: policy._id,
      points,
      date: activity.date,
      origin: this.origin(rule),
      n,
      ...(escrow ? { escrow } : {}),
      ...(expiry ? { expiry } : {}),
    });
    this.effects.accrued.push({
      lot: lot._id,
      member: state.doc._id,
      purse: policy._id,
      points,
      returned: 0,
      charged: 0,
    });
    // A retroactive award may be past its expiry already; what expired stays expired when it is cancelled.
    const { expiredPoints, dtExpiresOn } = lot;
    if (dtExpiresOn && expiredPoints > 0) {
      const expired = [{ purse: policy._id, points: expiredPoints, date: dtExpiresOn }];
      this.metrics.push(...expiryMetrics({ doc: state.doc, ledger }, { expired }));
    }
    this.addMetric('pointsEarned', points);
    this.addMetric(`pointsEarned:${purse}`, points);
    this.record('addPoints', rule, answeredPurse(ledger, policy._id, this.touchedLots()));
    return undefined;
  }

  private redeemPoints({ purse, points }: RedeemPointsEffect, rule: Rule): ProcessingError | undefined {
    const { state, ledger } = this.input;
    const policy = state.policies.find(({ name }) => name === purse);
    if (!policy) return unknownPurse(purse, rule);
    const burned = burn(ledger, { purse: policy._id, points, origin: this.origin(rule) });
    if (burned.isRefused) return notEnough(purse, points, burned.available);
    const member = state.doc._id;
    for (const { lot, points: part } of burned.lots) {
      this.effects.burned.push({ lot, member, purse: policy._id, points: part, restored: 0 });
    }
    if (burned.debt > 0) this.effects.debts.push({ member, purse: policy._id, points: burned.debt, restored: 0 });
    this.addMetric('pointsRedeemed', points);
    this.addMetric(`pointsRedeemed:${purse}`, points);
    this.record('redeemPoints', rule, answeredPurse(ledger, policy._id, this.touchedLots()));
    return undefined;
  }

  private origin(rule: Rule) {
    return { activity: this.input.activityId, rule: rule._id, ruleVersion: rule.version };
  }

  private record(action: string, rule: Rule, results: unknown): void {
    this.log.push({ action, rule: rule._id, results, time: this.input.now, type: this.input.activity.type });
  }
}

function unknownPurse(purse: string, rule: Rule): ProcessingError {
  return {
    code: 2900,
    message: `Rule ${rule.key} names the purse ${purse}, which the program has no more`,
    status: 422,
  };
}

function notEnough(purse: string, needed: number, available: number): ProcessingError {
  return {
    code: 2100,
    message: `Not enough points in ${purse}: ${needed} needed, ${available} available`,
    status: 422,
  };
}
