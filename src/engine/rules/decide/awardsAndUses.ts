import { addDecimals } from '#base/common/addDecimals';
import type { Effect, RuleAction } from '../actions/list';
import type { FactFrame } from '../evaluate/factFrame';
import { type Counter, type CounterKey, isStored } from '../format/limits';
import type { Rule } from '../format/rule';
import { mostUsed, type WindowUse } from '../format/windowUses';
import { computeBaseAmount } from '../language/amount';
import type { FactRef } from '../language/factRef';

/** A rule that fired, with the facts from which its points were computed. */
interface FiredRule {
  rule: Rule;
  frames: readonly { frame: FactFrame }[];
}

/** What a rule gave. */
interface Grant {
  effects: readonly Effect[];
  /** What the points were computed from; absent when no limit counts it. */
  amount?: number;
}

/** What the rules of one activity gave so far. Few rules read it, so it adds up on demand. */
export class ActivityAwards {
  private readonly fired: { hit: FiredRule; granted: Grant }[] = [];

  /** Adds a rule that fired. */
  add(hit: FiredRule, granted: Grant): void {
    this.fired.push({ hit, granted });
  }

  /** Points that `addPoints` gave: of one rule (or of all rows of a table), in one purse, or all. */
  points({ rule, purse }: { rule?: string | undefined; purse?: string | undefined }): number {
    const effects = this.firedAs(rule).flatMap(({ granted }) => granted.effects);
    return effects.reduce((sum, effect) => {
      const isCounted = effect.type === 'addPoints' && (purse === undefined || effect.purse === purse);
      return isCounted ? sum + effect.points : sum;
    }, 0);
  }

  /** The amount from which a rule computed its points: the `of` of its first amount, over all its line items. */
  amount(rule: string): number {
    return this.firedAs(rule).reduce((sum, { hit, granted }) => addDecimals(sum, granted.amount ?? amountAt(hit)), 0);
  }

  private firedAs(key: string | undefined) {
    return this.fired.filter(({ hit: { rule } }) => key === undefined || rule.key === key || rule.row?.table === key);
  }
}

function amountAt({ rule, frames }: FiredRule): number {
  const award = rule.actions.find(isAward);
  if (!award) return 0;
  return frames.reduce((sum, { frame }) => {
    // The values are those that the amount was computed from, also after effects have changed the member.
    const readFact = (ref: FactRef) => frame.value(frame.facts.slotOf(ref));
    return addDecimals(sum, computeBaseAmount(award.points, readFact));
  }, 0);
}

function isAward(action: RuleAction): action is RuleAction<'addPoints'> {
  return action.type === 'addPoints';
}

/** The used amounts of stored counters, by hexadecimal id; absent means nothing. */
interface StoredUses {
  usage: ReadonlyMap<string, number>;
  windows?: ReadonlyMap<string, readonly WindowUse[]> | undefined;
}

/** An amount that a rule used of a counter. */
export interface LimitUse {
  counter: Counter | CounterKey;
  amount: number;
  /** The line items for which it was used, when the limit counts by line items. */
  lines?: readonly number[];
}

/** What counters have used, with what one activity used of them so far. */
export class ActivityUses {
  private own: Map<string, number> | undefined;
  /** What counters of windows had used before, by key: a rule may ask for each of a thousand line items. */
  private readonly ofWindows = new Map<string, number>();

  /** @param before what was used before: as stored, or with the uses of other rules of the activity */
  constructor(private readonly before: StoredUses | ActivityUses) {}

  /** The used amount of a counter; for a window the most that any window with the activity has. */
  used(counter: Counter | CounterKey): number {
    const { before } = this;
    const used = before instanceof ActivityUses ? before.used(counter) : this.storedUse(before, counter);
    const own = this.own?.get(counter.key);
    return own === undefined ? used : addDecimals(used, own);
  }

  add(uses: readonly LimitUse[]): void {
    if (uses.length === 0) return;
    this.own ??= new Map();
    for (const { counter, amount } of uses) {
      this.own.set(counter.key, addDecimals(this.own.get(counter.key) ?? 0, amount));
    }
  }

  private storedUse({ usage, windows }: StoredUses, counter: Counter | CounterKey): number {
    if (!isStored(counter)) return 0;
    const { key, window } = counter;
    if (!window) return usage.get(key) ?? 0;
    if (!windows) return 0;
    const ids = [window.before.toHexString(), key, window.after.toHexString()];
    const uses = () => ids.flatMap((id) => windows.get(id) ?? []);
    const used = this.ofWindows.get(key) ?? mostUsed(window, uses());
    this.ofWindows.set(key, used);
    return used;
  }
}
