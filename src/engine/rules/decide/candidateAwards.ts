import { addDecimals } from '#base/common/addDecimals';
import { countedBy, countedPoints, type RuleFacts, ruleEffects } from '../actions/list';
import { isStored } from '../format/limits';
import type { Rule } from '../format/rule';
import type { CounterUse } from '../language/decision';
import { EvaluationError } from '../language/evaluationError';
import { factAccessor } from '../language/path';
import { applyLimits, type Granted } from './applyLimits';
import { ActivityUses, type LimitUse } from './awardsAndUses';
import type { DecideInput } from './decideInput';
import type { GroupHit } from './priorityGroup';

/**
 * The effects that a rule may apply when its conditions are true. A `perLine` rule acts for each matching line item in
 * turn, and each time counts in its limits and budget; the results are joined to one proposal.
 * @param uses what counters have used before the rule
 * @throws EvaluationError when an amount cannot be computed
 */
export function candidateAwards(
  hit: Pick<GroupHit, 'rule' | 'frames'>,
  input: DecideInput,
  uses: ActivityUses,
): Granted {
  return proposed(hit, input, uses, liveFacts);
}

/**
 * Recomputes the proposal of a rule after other rules of its level used its limits. It uses the same facts, even when
 * effects have changed the member since.
 */
export function candidateAwardsAgain(
  hit: Pick<GroupHit, 'rule' | 'frames'>,
  input: DecideInput,
  uses: ActivityUses,
): Granted {
  return proposed(hit, input, uses, readFacts);
}

type Frame = GroupHit['frames'][number];

function proposed(
  { rule, frames }: Pick<GroupHit, 'rule' | 'frames'>,
  input: DecideInput,
  uses: ActivityUses,
  factsOf: (frame: Frame) => RuleFacts,
): Granted {
  const [only] = frames;
  if (only && !rule.perLine) return grantedTo(rule, factsOf(only), input, uses);
  const own = new ActivityUses(uses);
  const parts: Granted[] = [];
  for (const frame of frames) {
    const part = grantedTo(rule, factsOf(frame), input, own);
    own.add(part.use);
    parts.push(part);
  }
  return together(parts);
}

/** What a rule may do for the activity or one line item. A rule without effects uses up nothing. */
function grantedTo(rule: Rule, facts: RuleFacts, input: DecideInput, uses: ActivityUses): Granted {
  const effects = ruleEffects(rule.actions, facts);
  const desired = countedPoints(effects, countedBy(rule.actions));
  const whole: Granted = { effects, desired, granted: desired, use: [], refused: false, rejects: false };
  const isCut = effects.length > 0 && (rule.limits || rule.budget);
  return isCut ? applyLimits(whole, { rule, facts, input, uses }) : whole;
}

function liveFacts({ frame, line }: Frame): RuleFacts {
  return { line, readFact: ({ fact, path, params }) => factAccessor(path)(frame.readFact(fact, params)) };
}

/** The values as they were read for the level. Only the activity itself, which never changes, may be read again. */
function readFacts({ frame, line }: Frame): RuleFacts {
  const live = liveFacts({ frame, line });
  return {
    line,
    readFact(ref) {
      const slot = frame.facts.slotOf(ref);
      return slot < 0 ? live.readFact(ref) : frame.value(slot);
    },
  };
}

function together(parts: readonly Granted[]): Granted {
  const cutBy = parts.findLast((each) => each.cutBy !== undefined)?.cutBy;
  const rejects = parts.some((each) => each.rejects);
  const refused = rejects || parts.every((each) => each.refused);
  const granted = refused ? [] : parts.filter((each) => !each.refused);
  const amounts = granted.flatMap(({ amount }) => amount ?? []);
  return {
    effects: granted.flatMap(({ effects }) => effects),
    desired: sum(parts.map(({ desired }) => desired)),
    granted: sum(granted.map((each) => each.granted)),
    use: merged(granted.flatMap(({ use }) => use)),
    ...(amounts.length > 0 && { amount: amounts.reduce(addDecimals) }),
    ...(cutBy && { cutBy }),
    refused,
    rejects,
  };
}

function merged(uses: readonly LimitUse[]): LimitUse[] {
  const byKey = new Map<string, LimitUse>();
  for (const use of uses) {
    const known = byKey.get(use.counter.key);
    const lines = [...(known?.lines ?? []), ...(use.lines ?? [])];
    const amount = known ? addDecimals(known.amount, use.amount) : use.amount;
    byKey.set(use.counter.key, { ...use, amount, ...(lines.length > 0 ? { lines } : {}) });
  }
  return [...byKey.values()];
}

function sum(points: readonly number[]): number {
  const total = points.reduce((before, each) => before + each, 0);
  if (!Number.isSafeInteger(total)) throw new EvaluationError('the points of its line items are too large together');
  return total;
}

/** What a rule adds to stored counters. */
export function storedUses(uses: readonly LimitUse[]): CounterUse[] {
  return uses.flatMap(({ counter, amount, lines }): CounterUse[] => {
    if (!isStored(counter)) return [];
    const { id, what, max, by, window } = counter;
    return [
      {
        id,
        what,
        amount,
        max,
        ...(by && { by: { rule: by.rule, limit: by.limit, ...(lines && { lines }) } }),
        ...(window && { window: { at: window.at, after: window.after } }),
      },
    ];
  });
}
