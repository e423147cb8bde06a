import { addDecimals } from '#base/common/addDecimals';
import { decimalProportion, proportion } from '#engine/points/ledger/proportion';
import { listMax } from '#engine/rules/actions/list';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { ReturnMode } from './decideReturnModes';
import type { ReturnScope } from './decideReturnScope';
import type { ReturnInput } from './returnInput';
import { ruleMovements } from './ruleMovements';

type Counter = StoredEffects['counters'][number];

interface LimitReturn extends Pick<ReturnInput, 'part' | 'returnModeOf'> {
  /** The activity's awards after the return. */
  accrued: StoredEffects['accrued'];
}

/**
 * The counter after a partial return, when its history names the limit and rule that used it. Of points, as many are
 * given back as of the awards of the rule. Of an amount, the part that the rest of the activity no longer uses is given
 * back.
 */
export function returnedOfLimit(counter: Counter, { accrued, part, returnModeOf }: LimitReturn): Counter {
  const { rule, lines, what, amount } = counter;
  if (!rule) return counter;
  const ofRule = accrued.filter((award) => award.rule?.equals(rule) && !award.moved);
  const own = lines ? ofRule.filter(({ n = 0 }) => lines.includes(Math.floor(n / listMax))) : ofRule;
  const [movement] = ruleMovements({ accrued: ofRule, burned: [], debts: [] });
  const mode = movement && returnModeOf?.(movement);
  const points = own.reduce((sum, { returned }) => sum + returned, 0);
  const returnedAmount =
    what === 'amount' ? amountToReturn(counter, mode, part) : own.length > 0 ? points : proportion(amount, part);
  return { ...counter, returned: Math.max(counter.returned, Math.min(amount, returnedAmount)) };
}

function amountToReturn(
  { rule, limit, lines, amount }: Counter,
  mode: ReturnMode | undefined,
  part: ReturnScope,
): number {
  if (mode?.how === 'keep') return 0;
  if (mode?.how !== 'reevaluate') return decimalProportion(amount, part);
  const left = mode.uses
    .filter(({ by }) => rule && by?.rule.equals(rule) && by.limit === limit && sameLines(by.lines, lines))
    .reduce((sum, use) => addDecimals(sum, use.amount), 0);
  return Math.max(0, addDecimals(amount, -left));
}

function sameLines(some: readonly number[] | undefined, others: readonly number[] | undefined): boolean {
  return !others || some?.some((line) => others.includes(line)) === true;
}
