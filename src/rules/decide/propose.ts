import { effectsOf } from '../actions/list';
import { listMax } from '../format/rule';
import { EvaluationError } from '../language/amount';
import type { CounterUse } from '../language/decision';
import type { FactRef } from '../language/factRef';
import { partOf } from '../language/resolvePath';
import { cutToLimits, type Granted, type LimitContext } from './cutToLimits';
import type { DecideInput } from './decideInput';
import type { StageHit } from './hits';

/**
 * What a rule whose conditions hold may do. A rule with `perLine` acts for each line item that holds, one after the
 * other, each counted by its limits and budget; what comes of them is one proposal.
 * @throws EvaluationError when an amount cannot be computed
 */
export function propose(
  { rule, frames }: Pick<StageHit, 'rule' | 'frames'>,
  { activity, memberId, usage, program }: DecideInput,
): Granted {
  const context: LimitContext = { activity, memberId, usage, timezone: program.timezone };
  const [only] = frames;
  if (only && !rule.perLine) return cutToLimits(rule, effectsAt(rule, only), context);
  const parts: Granted[] = [];
  for (const at of frames) parts.push(cutToLimits(rule, effectsAt(rule, at), afterParts(context, parts)));
  return together(parts);
}

/** Positions of actions tell the awards of a rule apart, so each line item has its own. */
function effectsAt(rule: StageHit['rule'], { frame, line }: StageHit['frames'][number]) {
  const readFact = ({ fact, path, params }: FactRef) => partOf(path)(frame.readFact(fact, params));
  return rule.actions.flatMap((action, position) => effectsOf(action, { readFact, n: line * listMax + position }));
}

/** What counters have used after the line items before. */
function afterParts(context: LimitContext, parts: readonly Granted[]): LimitContext {
  const used = new Map<string, number>();
  for (const { id, amount } of parts.flatMap(({ use }) => use)) {
    const key = id.toHexString();
    used.set(key, (used.get(key) ?? context.usage.get(key) ?? 0) + amount);
  }
  const points = parts.reduce((sum, { granted }) => sum + granted, 0);
  const times = parts.filter(({ effects }) => effects.length > 0).length;
  return { ...context, usage: { get: (key) => used.get(key) ?? context.usage.get(key) }, before: { points, times } };
}

function together(parts: readonly Granted[]): Granted {
  const cutBy = parts.findLast((each) => each.cutBy !== undefined)?.cutBy;
  const rejects = parts.some((each) => each.rejects);
  const refused = rejects || parts.every((each) => each.refused);
  return {
    effects: refused ? [] : parts.flatMap(({ effects }) => effects),
    desired: sum(parts.map(({ desired }) => desired)),
    granted: refused ? 0 : sum(parts.map(({ granted }) => granted)),
    use: refused ? [] : merged(parts.flatMap(({ use }) => use)),
    ...(cutBy && { cutBy }),
    refused,
    rejects,
  };
}

function merged(uses: readonly CounterUse[]): CounterUse[] {
  const byId = new Map<string, CounterUse>();
  for (const use of uses) {
    const key = use.id.toHexString();
    byId.set(key, { ...use, amount: use.amount + (byId.get(key)?.amount ?? 0) });
  }
  return [...byId.values()];
}

function sum(points: readonly number[]): number {
  const total = points.reduce((before, each) => before + each, 0);
  if (!Number.isSafeInteger(total)) throw new EvaluationError('the points of its line items are too large together');
  return total;
}
