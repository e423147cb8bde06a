import type { EffectTarget } from '../decide/decideInput';
import type { Rule } from '../format/rule';
import type { Effect } from '../language/effect';
import type { PurseChange } from './pastActivity';
import type { RecalledFacts } from './recalledFacts';

/**
 * The target of an activity of the past: collects the points that rules move and has no balances, so it refuses
 * nothing. Rules see the member as it was kept.
 */
export class PastTarget implements EffectTarget {
  hasProducts = false;
  /** Changes by key of the rule. */
  readonly changes = new Map<string, PurseChange[]>();
  /** All that rules do, in that order. */
  readonly effects: { rule: Rule; effect: Effect }[] = [];

  constructor(
    private readonly facts: RecalledFacts,
    /** The priority that is decided now. */
    private readonly priority: () => number,
  ) {}

  apply(effect: Effect, rule: Rule): undefined {
    const { key } = rule;
    this.effects.push({ rule, effect });
    if (effect.type === 'lookupProducts') this.hasProducts = true;
    if (effect.type !== 'addPoints' && effect.type !== 'redeemPoints') return undefined;
    const points = effect.type === 'addPoints' ? effect.points : -effect.points;
    const changes = this.changes.get(key);
    if (changes) changes.push({ purse: effect.purse, points });
    else this.changes.set(key, [{ purse: effect.purse, points }]);
    return undefined;
  }

  memberFacts(): Readonly<Record<string, unknown>> {
    return this.facts.member(this.priority());
  }

  /** Metrics are recalled; a rule that asks for one that was not kept is not evaluated. */
  metric(): number {
    return 0;
  }
}
