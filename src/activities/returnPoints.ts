import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { MetricEntry } from '../aggregates/metricEvents';
import { giveBack } from '../points/giveBack';
import type { Ledger } from '../points/ledger';
import type { MemberState } from '../points/memberState';
import { expiryMetrics } from '../points/settleState';
import type { StoredEffects } from './activityHistory';
import type { BatchContext } from './batchContext';
import { survivingState } from './checkActivity';
import type { Returning } from './returnEffects';

type Points = Pick<StoredEffects, 'accrued' | 'burned' | 'debts'>;

/** Gives back the share of points: of the member of the activity first, then of each other member. */
export function returnPoints(
  context: BatchContext,
  { state, ruled, part }: Returning,
  effects: StoredEffects,
): { effects: Points; lines: object[] } {
  const { ledger, activityId: activity } = ruled.input;
  const returned: Points = { accrued: [], burned: [], debts: [] };
  const lines: object[] = [];
  for (const owner of ownersOf(context, state, effects)) {
    const isOwn = owner === state;
    const work: Worked = isOwn ? { ledger, metrics: ruled.metrics } : ruled.others.open(owner);
    const own = effectsOf(context, owner, effects);
    const given = giveBack(work.ledger, { effects: own, share: part, activity });
    returned.accrued.push(...given.effects.accrued);
    returned.burned.push(...given.effects.burned);
    returned.debts.push(...given.effects.debts);
    work.metrics.push(...expiryMetrics({ doc: owner.doc, ledger: work.ledger }, given.settled));
    lines.push(...given.lines.map((line) => (isOwn ? line : { ...line, member: owner.doc._id })));
  }
  return { effects: returned, lines };
}

interface Worked {
  ledger: Ledger;
  metrics: MetricEntry[];
}

/** The members that effects name, merged ones as their survivors; the one of the activity first, in any case. */
function ownersOf(context: BatchContext, state: MemberState, { accrued, burned, debts }: Points): Set<MemberState> {
  return new Set([state, ...[...burned, ...debts, ...accrued].map(({ member }) => ownerOf(context, member))]);
}

function effectsOf(context: BatchContext, owner: MemberState, { accrued, burned, debts }: Points): Points {
  const isOwned = ({ member }: { member: ObjectId }) => ownerOf(context, member) === owner;
  return { accrued: accrued.filter(isOwned), burned: burned.filter(isOwned), debts: debts.filter(isOwned) };
}

function ownerOf(context: BatchContext, member: ObjectId): MemberState {
  const owner = survivingState(context, member.toHexString());
  assert(owner, 'the members whose points are given back are loaded');
  return owner;
}
