import type { PeriodUnit } from '../../calendar/periods';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { EffectTarget } from '../../rules/decide/decideInput';
import type { Rule } from '../../rules/format/rule';
import type { Effect } from '../../rules/language/effect';
import type { LedgerTarget } from '../state/ledgerTarget';
import { carryOut } from './list';

/**
 * What an activity changes, as rules see it: each of their effects is carried out on it. It is a class, because V8 makes
 * a hidden class for every object that is written with getters, and collecting those took a tenth of all time.
 */
export class RulesTarget implements EffectTarget {
  constructor(private readonly target: LedgerTarget) {}

  get hasProducts(): boolean {
    return this.target.hasProducts;
  }

  get activityExt(): Readonly<Record<string, unknown>> | undefined {
    return this.target.activityExt;
  }

  memberFacts(): Readonly<Record<string, unknown>> {
    return this.target.memberFacts();
  }

  metric(name: string, period: PeriodUnit): number {
    return this.target.metric(name, period);
  }

  apply(effect: Effect, rule: Rule): ProcessingError | undefined {
    return this.target.change(`Rule ${rule.key}`, () => carryOut(this.target, effect, rule));
  }
}
