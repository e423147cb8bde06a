import type { ActivityChanges } from '#activities/state/activityChanges';
import { survivingState } from '#activities/state/checkActivity';
import { type Message, message } from '#base/common/messages/message';
import type { Ledger } from '#engine/points/ledger/ledger';
import type { ActingRule, Award } from '#engine/rules/actions/actionTarget';
import { pooledPoints } from '#engine/rules/actions/pool';
import type { MemberState } from '#members/memberState/memberState';

/** The part of an award that one member gets. */
export interface AwardShare {
  state: MemberState;
  ledger: Ledger;
  points: number;
}

/** The share of the head of the member's family in an award with a pool; undefined when the member keeps all. */
export function pooledAward(changes: ActivityChanges, award: Award, rule: ActingRule): AwardShare | undefined {
  const head = poolHead(changes, award, rule);
  const points = head ? pooledPoints(award.points, award.pool) : 0;
  return head && points > 0 ? { ...changes.others.open(head), points } : undefined;
}

/** The head of the member's family. When it cannot receive points the member keeps all, and the log says why. */
function poolHead(changes: ActivityChanges, { type }: Award, rule: ActingRule): MemberState | undefined {
  const { state, context } = changes.input;
  const { familyHead } = state.doc;
  if (!familyHead) return undefined;
  const head = survivingState(context, familyHead.toHexString());
  if (head === state) return undefined;
  const fault = headFault(state, head);
  if (fault === undefined) return head;
  changes.log.recordOmitted(type, rule, { isPooled: false }, message('activities.headFault', { fault }));
  return undefined;
}

function headFault(state: MemberState, head: MemberState | undefined): Message | undefined {
  if (!head) return message('activities.unknownHead');
  if (!head.doc.program.equals(state.doc.program)) return message('activities.headElsewhere');
  return head.doc.status === 'Active' ? undefined : message('members.notActive', { status: head.doc.status });
}
