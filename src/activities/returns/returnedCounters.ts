import type { BatchContext } from '#activities/state/batchContext';
import { proportion } from '#engine/points/ledger/proportion';
import { findActionDefinition } from '#engine/rules/actions/list';
import { counterKeys } from '#engine/rules/format/limits';
import type { MemberState } from '#members/memberState/memberState';
import type { ActivityHistory, StoredEffects } from '#records/activities/activityHistory';
import { counterOwners } from './counterOwners';
import { returnedOfLimit } from './returnedOfLimit';
import type { ReturnInput } from './returnInput';

type Counters = StoredEffects['counters'];
type Accrued = StoredEffects['accrued'];

/** The input that decides how much of the counters a return gives back. */
interface CounterReturn extends Pick<ReturnInput, 'original' | 'part' | 'returnModeOf'> {
  state: Pick<MemberState, 'doc' | 'program'>;
}

/**
 * The counters of limits and budgets after a return. A counter of points returns as many points as the awards of its
 * rule, else its proportion. A counter of times is returned only by a whole return.
 * @param accrued the activity's awards after the return
 */
export function returnedCounters(
  { pastRuleSets }: Pick<BatchContext, 'pastRuleSets'>,
  { original, state, part, returnModeOf }: CounterReturn,
  accrued: Accrued,
): Counters {
  const counters = original.effects?.counters ?? [];
  if (part.isWhole) return counters.map((counter) => ({ ...counter, returned: counter.amount }));
  const rules = pastRuleSets.get(original.ruleSet ?? -1)?.forActivity(original.program, original.type).rules ?? [];
  const owners = counterOwners(original, state);
  const awardingRules = rules.filter(({ actions }) =>
    actions.some(({ type }) => findActionDefinition(type)?.points === 'awarded'),
  );
  const returnedByCounter = new Map(
    awardingRules.flatMap((rule) => {
      const returned = returnedTo(accrued, rule);
      const keys = owners.flatMap((owner) => counterKeys(rule, original, owner));
      return keys.map(({ id }) => [id.toHexString(), returned] as const);
    }),
  );
  return counters.map((counter) => {
    const { id, what, amount } = counter;
    if (what === 'times') return counter;
    if (counter.rule) return returnedOfLimit(counter, { accrued, part, returnModeOf });
    const ofRule = returnedByCounter.get(id.toHexString());
    const returned = ofRule === undefined ? proportion(amount, part) : Math.min(amount, ofRule);
    return { ...counter, returned: Math.max(counter.returned, returned) };
  });
}

/** Returned points of the awards of a rule; undefined when no award names this rule. */
function returnedTo(accrued: Accrued, { _id }: { _id: ActivityHistory['_id'] }): number | undefined {
  const own = accrued.filter(({ rule, moved }) => rule?.equals(_id) && !moved);
  return own.length === 0 ? undefined : own.reduce((sum, { returned }) => sum + returned, 0);
}
