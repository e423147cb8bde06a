import { isDeepStrictEqual } from 'node:util';
import type { CounterUse, Decision, FactRead, FailedCondition, MatchReason, RuleError, RuleMatch } from './decision';
import type { Rule } from './rule';

/** What a rule's points came to. */
type Points = Pick<RuleMatch, 'desired' | 'granted'>;

/** Gathers a decision while levels are worked through. */
export class DecisionState {
  /** No rule runs any more: one stopped, or the activity failed for good. */
  isOver = false;
  /** Groups with `pick: first` of which a rule fired. */
  readonly decidedGroups = new Set<string>();
  private readonly ruleMatch: RuleMatch[] = [];
  private readonly errors: RuleError[] = [];
  private readonly usage: CounterUse[] = [];
  private readonly reads = new Map<string, FactRead[]>();
  private lastFired: Decision['lastFired'];

  fired(rule: Rule, points: Points, use: readonly CounterUse[], reason?: MatchReason): void {
    this.ruleMatch.push({ ...headOf(rule), fired: true, ...(reason && { reason }), ...points });
    this.usage.push(...use);
    this.lastFired = { rule: rule._id, key: rule.key, name: rule.name, version: rule.version };
    if (rule.group !== undefined && rule.pick === 'first') this.decidedGroups.add(rule.group);
    if (rule.stop) this.isOver = true;
  }

  missed(rule: Rule, reason: MatchReason, more: Points & { failedCondition?: FailedCondition } = {}): void {
    this.ruleMatch.push({ ...headOf(rule), fired: false, reason, ...more });
  }

  /** The activity fails; `survives` says whether other rules are still worth evaluating. */
  failed(error: RuleError, survives: boolean): void {
    this.errors.push(error);
    if (!survives) this.isOver = true;
  }

  /** Records the value of a fact, once and again only when it changed. */
  read(key: string, read: FactRead): void {
    const known = this.reads.get(key);
    if (!known) this.reads.set(key, [read]);
    else if (!isDeepStrictEqual(known.at(-1)?.value, read.value)) known.push(read);
  }

  decision(): Decision {
    const { ruleMatch, errors, usage, lastFired } = this;
    const factsRead = [...this.reads.values()].flat();
    const failed = errors.length > 0;
    return { ruleMatch, errors, usage: failed ? [] : usage, factsRead, ...(lastFired && { lastFired }) };
  }
}

function headOf({ _id, key, name, version }: Rule) {
  return { rule: _id, key, name, version };
}
