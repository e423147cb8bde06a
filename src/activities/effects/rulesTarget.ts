import type { EffectTarget } from '../../rules/decide/decideInput';
import type { LedgerTarget } from '../state/ledgerTarget';
import { carryOut } from './list';

/** What an activity changes, as rules see it: each of their effects is carried out on it. */
export function rulesTarget(target: LedgerTarget): EffectTarget {
  return {
    get hasProducts() {
      return target.hasProducts;
    },
    get activityExt() {
      return target.activityExt;
    },
    memberFacts: () => target.memberFacts(),
    metric: (name, period) => target.metric(name, period),
    apply: (effect, rule) => target.change(`Rule ${rule.key}`, () => carryOut(target, effect, rule)),
  };
}
