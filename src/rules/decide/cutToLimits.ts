import type { ObjectId } from 'bson';
import { localDay } from '../../calendar/localCalendar';
import type { Activity } from '../../records/activities/activity';
import { budgetCounter, type CounterKey, limitCounter } from '../format/limits';
import type { Limit, Rule } from '../format/rule';
import { EvaluationError } from '../language/amount';
import type { CounterUse } from '../language/decision';
import type { Effect, PointsEffect, RejectEffect } from '../language/effect';

/** What an activity's counters have used so far, and where it stands; read-only. */
export interface LimitContext {
  activity: Activity;
  memberId: ObjectId;
  /** By hexadecimal counter id; absent means 0. */
  usage: Pick<ReadonlyMap<string, number>, 'get'>;
  /** What the rule did for line items before this one; limits per transaction count it. */
  before?: { points: number; times: number };
  /** IANA time zone of the program. */
  timezone: string;
}

type Proposed = Effect | RejectEffect;

/** What limits and budget leave of what a rule wants to do. */
export interface Granted {
  /** Effects, points cut; empty when nothing may happen. */
  effects: readonly Proposed[];
  desired: number;
  granted: number;
  use: readonly CounterUse[];
  /** The limit or budget that took something away. */
  cutBy?: 'limit' | 'budget';
  /** The rule may not fire at all. */
  refused: boolean;
  /** The limit that refuses wants the whole activity to fail (2110). */
  rejects: boolean;
}

/**
 * Cuts what a rule wants to do to its limits, in the order of the file, and then to its budget. Points limits and
 * budget count the points that the rule adds, or, when it has no `addPoints`, those it redeems, or, when it has neither,
 * those it transfers; a limit of times has nothing to reduce, so it skips. A rule that wanted points and is left none does not fire at all; one that comes to
 * nothing uses nothing up.
 * @throws EvaluationError when the points add up beyond 2^53 - 1
 */
export function cutToLimits(rule: Rule, effects: readonly Proposed[], context: LimitContext): Granted {
  const counts = countedType(rule);
  const desired = pointsOf(effects, counts);
  const whole: Granted = { effects, desired, granted: desired, use: [], refused: false, rejects: false };
  if (effects.length === 0 || (!rule.limits && !rule.budget)) return whole;
  const gates = gatesOf(rule, context);
  let allowed = desired;
  let cutBy: Granted['cutBy'];
  for (const gate of gates) {
    const wanted = gate.what === 'points' ? allowed : 1;
    if (wanted <= gate.left) continue;
    cutBy = gate.kind;
    const reduces = gate.onExceed === 'reduce' && gate.what === 'points' && gate.left > 0;
    if (!reduces) return { ...whole, ...nothing, cutBy, rejects: gate.onExceed === 'reject' };
    allowed = gate.left;
  }
  const kept = allowed === desired ? effects : cutPoints(effects, counts, allowed);
  const use = gates.flatMap((gate) => useOf(gate, allowed));
  return { ...whole, effects: kept, granted: allowed, use, ...(cutBy && { cutBy }) };
}

const nothing = { effects: [], granted: 0, refused: true };

/** A limit or budget with what is left of it. */
interface Gate {
  kind: 'limit' | 'budget';
  what: 'points' | 'times';
  max: number;
  left: number;
  onExceed: Limit['onExceed'];
  counter?: CounterKey;
}

function gatesOf(rule: Rule, { activity, memberId, usage, timezone, before }: LimitContext): Gate[] {
  const leftOf = (counter: CounterKey) => Math.max(0, counter.max - (usage.get(counter.id.toHexString()) ?? 0));
  const gates = (rule.limits ?? []).map((limit): Gate => {
    const { what, max, onExceed } = limit;
    const counter = limitCounter(rule, limit, activity, memberId, localDay(activity.date, timezone));
    return {
      kind: 'limit',
      what,
      max,
      onExceed,
      left: counter ? leftOf(counter) : max - (before?.[what] ?? 0),
      ...(counter && { counter }),
    };
  });
  if (!rule.budget) return gates;
  const counter = budgetCounter(rule, rule.budget.points);
  const { what, max } = counter;
  return [...gates, { kind: 'budget', what, max, onExceed: 'reduce', left: leftOf(counter), counter }];
}

function useOf({ counter }: Gate, granted: number): CounterUse[] {
  if (!counter) return [];
  const amount = counter.what === 'points' ? granted : 1;
  return amount === 0 ? [] : [{ id: counter.id, what: counter.what, amount, max: counter.max }];
}

function countedType(rule: Rule): PointsEffect['type'] {
  const counted = ['addPoints', 'redeemPoints', 'transferPoints'] as const;
  return counted.find((each) => rule.actions.some(({ type }) => type === each)) ?? 'addPoints';
}

function pointsOf(effects: readonly Proposed[], counts: PointsEffect['type']): number {
  const sum = effects.reduce((total, effect) => (effect.type === counts ? total + effect.points : total), 0);
  if (!Number.isSafeInteger(sum)) throw new EvaluationError('the points of its actions are too large together');
  return sum;
}

/** Keeps the first `allowed` points in the order of the actions. */
function cutPoints(effects: readonly Proposed[], counts: PointsEffect['type'], allowed: number): Proposed[] {
  let left = allowed;
  return effects.flatMap((effect) => {
    if (effect.type !== counts) return [effect];
    const points = Math.min(effect.points, left);
    left -= points;
    return points === 0 ? [] : [{ ...effect, points }];
  });
}
