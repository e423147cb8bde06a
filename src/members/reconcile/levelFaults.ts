import { bestClaim } from '#engine/tiers/claims';
import type { Ladder } from '#records/members/memberTier';
import type { MemberRecords } from './memberRecords';

/**
 * Finds levels that neither the tier history nor the ladder of the member gives it, higher and lower ones. Each entry of
 * the history leads from one level to another, so the level at which more entries arrive than leave is the present one.
 * Entries of different processes may have dates in another order. But when somebody changed a level by hand, the history
 * has a jump, and the latest entry says what is right.
 */
export function levelFaults({ member, levelChanges, tierPolicies }: MemberRecords): string[] {
  // A merge takes the tiers of the merged members away without an entry.
  if (member.mergedInto) return [];
  return tierPolicies.flatMap(({ _id, name }) => {
    const changes = levelChanges.filter(({ policyId }) => policyId.equals(_id));
    const level = member.tiers.find(({ policyId }) => policyId.equals(_id))?.level.number;
    const ladder = (member.ladders ?? []).find(({ policyId }) => policyId.equals(_id));
    const claimed = ladder && bestClaim(ladder as Ladder)?.level.number;
    const arrived = arrivals(changes);
    const latest = latestChange(changes);
    const isRight = (arrived.length <= 1 && arrived[0] === level) || (latest && latest.to?.number === level);
    return [
      ...(isRight ? [] : [`${name} has level ${show(level)}, but by its history it is ${show(latest?.to?.number)}`]),
      ...(ladder && claimed !== level
        ? [`${name} has level ${show(level)}, but by its ladder it is ${show(claimed)}`]
        : []),
    ];
  });
}

function latestChange(changes: MemberRecords['levelChanges']) {
  return [...changes].sort((a, b) => a.at.getTime() - b.at.getTime() || Buffer.compare(a._id.id, b._id.id)).at(-1);
}

/** The levels at which more changes arrive than leave. */
function arrivals(changes: MemberRecords['levelChanges']): number[] {
  const left = new Map<number, number>();
  const count = (level: { number: number } | undefined, by: 1 | -1) => {
    if (level) left.set(level.number, (left.get(level.number) ?? 0) + by);
  };
  for (const { from, to } of changes) {
    count(from, -1);
    count(to, 1);
  }
  return [...left].flatMap(([level, times]) => (times === 0 ? [] : [level]));
}

function show(level: number | undefined): string {
  return level === undefined ? 'none' : String(level);
}
