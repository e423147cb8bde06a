import { ObjectId } from 'bson';

/**
 * The ids of what an answer is about: those at `_id`, `member` and `member._id` of the answer, or of each element of a
 * list. They tell which answers to forget when a member is erased.
 */
export function idsIn(body: unknown): ObjectId[] {
  const found = [body].flat().flatMap(idsOf);
  return [...new Set(found)].map((id) => new ObjectId(id));
}

function idsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { _id, member } = value as { _id?: unknown; member?: unknown };
  const nested = member instanceof ObjectId ? [member] : typeof member === 'object' ? idsOf(member) : [member];
  return [_id, ...nested].map(String).filter((id) => /^[0-9a-f]{24}$/.test(id));
}
