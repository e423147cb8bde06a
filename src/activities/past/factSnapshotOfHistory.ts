import { isPlainObject } from '#base/common/plainObject';
import type { ActivityLevel } from '#engine/rules/evaluate/ruleSet';
import { readSnapshotFact, type SnapshotFact } from '#engine/rules/explain/factSnapshot';
import { refKey } from '#engine/rules/language/factRef';
import type { ActivityHistory } from '#records/activities/activityHistory';

/** Maximum number of facts in a snapshot. A snapshot of this size may be incomplete. */
const keptMax = 200;

/**
 * The fact snapshot of a history. A shortened value is left out, since the real value is unknown. A snapshot does not
 * contain undefined values that rules read. When all rules were evaluated, this function adds them.
 */
export function factSnapshotOfHistory(history: ActivityHistory, levels: readonly ActivityLevel[]): SnapshotFact[] {
  const { factsRead: stored = [], ruleMatch, status } = history;
  const kept = stored.flatMap(readSnapshotFact).filter(({ isCut }) => !isCut);
  const isWhole =
    stored.length > 0 &&
    stored.length < keptMax &&
    status !== 'Error' &&
    ruleMatch.every(({ reason }) => reason !== 'stopped');
  return isWhole ? [...kept, ...undefinedFacts(stored, levels)] : kept;
}

function undefinedFacts(stored: readonly Record<string, unknown>[], levels: readonly ActivityLevel[]): SnapshotFact[] {
  const known = new Set(stored.flatMap((read) => [factKey(read), `${String(read.fact)} ${String(read.path)}`]));
  return levels.flatMap(({ priority, once: { facts } }) =>
    facts.recorded.flatMap((slot) => {
      const ref = facts.slots[slot]?.ref;
      if (ref?.fact !== 'member' || known.has(refKey(ref))) return [];
      return [{ ...ref, priority, value: undefined }];
    }),
  );
}

function factKey({ fact, path, params }: Record<string, unknown>): string {
  return refKey({
    fact: String(fact),
    ...(typeof path === 'string' ? { path } : {}),
    ...(isPlainObject(params) ? { params } : {}),
  });
}
