import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import type { Ledger } from '#engine/points/ledger/ledger';
import { returnToLedgers } from '#engine/points/ledger/returnToLedgers';
import type { MemberState } from '#members/memberState/memberState';
import { expiryMetrics } from '#members/memberState/settleState';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { IsKeptCost, ReturnInput } from './returnInput';
import { type MovementPart, returnedPoints } from './ruleMovements';
import { transferArrivals } from './transferArrivals';

type Points = Pick<StoredEffects, 'accrued' | 'burned' | 'debts'>;

/**
 * Returns points in the ledger of the activity's member first, then in those of the other members.
 * @returns the effects after the return, in the same order
 */
export function returnPoints(
  context: BatchContext,
  { state, changes, totals }: ReturnInput,
  all: Points,
  isKeptCost: IsKeptCost,
): { effects: Points; lines: object[] } {
  const effects = {
    ...all,
    burned: all.burned.filter(not(isKeptCost)),
    debts: all.debts.filter(not(isKeptCost)),
  };
  const { ledger, activityId: activity } = changes.input;
  const totalOf = (effect: MovementPart) => totals.get(effect) ?? returnedPoints(effect);
  const owners = [...affectedOwners(context, state, effects)].map((owner) => {
    const target: ReturnTarget = owner === state ? { ledger, metrics: changes.metrics } : changes.others.open(owner);
    return { owner, target, ledger: target.ledger, effects: ownedEffects(context, owner, effects) };
  });
  const arrivals = transferArrivals(all);
  const arrivalOf = (effect: Points['burned'][number]) => arrivals.get(effect);
  const accrued = new Successors<Points['accrued'][number]>();
  const burned = new Successors<Points['burned'][number]>();
  const debts = new Successors<Points['debts'][number]>();
  const lines: object[] = [];
  for (const [index, returned] of returnToLedgers({ holdings: owners, totalOf, arrivalOf, activity }).entries()) {
    const holding = owners[index];
    assert(holding, 'each holding has its result');
    const { owner, target, effects: own } = holding;
    accrued.note(own.accrued, returned.effects.accrued);
    burned.note(own.burned, returned.effects.burned);
    debts.note(own.debts, returned.effects.debts);
    target.metrics.push(...expiryMetrics({ doc: owner.doc, ledger: target.ledger }, returned));
    lines.push(...returned.lines.map((line) => (owner === state ? line : { ...line, member: owner.doc._id })));
  }
  const after = { accrued: accrued.of(all.accrued), burned: burned.of(all.burned), debts: debts.of(all.debts) };
  return { effects: after, lines };
}

function not(isKeptCost: IsKeptCost): IsKeptCost {
  return (effect) => !isKeptCost(effect);
}

/**
 * Maps each effect to the effect after the return. The order of effects decides what is returned first, so it stays.
 */
class Successors<E> {
  private readonly after = new Map<E, E>();

  note(before: readonly E[], after: readonly E[]): void {
    for (const [index, effect] of after.entries()) {
      const own = before[index];
      assert(own, 'each returned effect has its effect from before');
      this.after.set(own, effect);
    }
  }

  of(before: readonly E[]): E[] {
    return before.map((effect) => this.after.get(effect) ?? effect);
  }
}

interface ReturnTarget {
  ledger: Ledger;
  metrics: MetricEntry[];
}

/** The members that effects name, with survivors for merged ones. The activity's member is always the first. */
function affectedOwners(
  context: BatchContext,
  state: MemberState,
  { accrued, burned, debts }: Points,
): Set<MemberState> {
  return new Set([state, ...[...burned, ...debts, ...accrued].map(({ member }) => requireOwner(context, member))]);
}

function ownedEffects(context: BatchContext, owner: MemberState, { accrued, burned, debts }: Points): Points {
  const isOwned = ({ member }: { member: ObjectId }) => requireOwner(context, member) === owner;
  return { accrued: accrued.filter(isOwned), burned: burned.filter(isOwned), debts: debts.filter(isOwned) };
}

function requireOwner(context: BatchContext, member: ObjectId): MemberState {
  const owner = survivingState(context, member.toHexString());
  assert(owner, 'the members whose points are returned are loaded');
  return owner;
}
