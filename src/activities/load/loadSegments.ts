import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { segmentsOf } from '../../catalog/segmentsOf';
import type { BatchScope } from '../state/batchScope';
import { type BatchSegments, batchSegments, noSegments } from '../state/batchSegments';

/**
 * The segments that rules of a batch look at or change. Static ones stand in the members; of those by query, one query
 * each tells which members of the batch are in it. Reads nothing when no rule asks.
 */
export async function loadSegments(db: Connection, scope: BatchScope): Promise<BatchSegments> {
  const names = new Set<string>();
  const members = new Map<string, ObjectId>();
  let isAll = false;
  for (const work of scope.works) {
    const [member, rules] = [scope.memberOf(work), scope.rulesOf(work)];
    if (!member || !rules) continue;
    const { segments } = rules.needs;
    if (segments.names.length === 0 && !segments.all) continue;
    members.set(member._id.toHexString(), member._id);
    isAll ||= segments.all;
    for (const name of segments.names) names.add(name);
  }
  if (members.size === 0) return noSegments;
  const wanted = (await scope.catalog.segments()).filter(({ name }) => isAll || names.has(name));
  const byQuery = wanted.filter(({ kind }) => kind === 'query');
  const asked = { org: scope.org, members: [...members.values()], segments: byQuery };
  return batchSegments(wanted, byQuery.length === 0 ? new Map() : await segmentsOf(db, asked));
}
