import type { ProcessedActivity } from './processedActivity';

/** A tier or segment that a member had when an activity was processed. */
export interface PastGroup {
  /** `tier <policy>` or `segment`. */
  by: string;
  name: string;
}

const policyPath = /^\$\.tier(?:\.([\w-]+)|\['([^'\]]+)'\])$/;

/** The member's tiers and segments, without duplicates. The fact snapshot has only those that a rule read. */
export function pastGroups({ facts }: Pick<ProcessedActivity, 'facts'>): PastGroup[] {
  const groups = new Map<string, PastGroup>();
  for (const { fact, path = '$', value } of facts) {
    if (fact !== 'member') continue;
    for (const group of groupsIn(path, value)) {
      const key = `${group.by}\n${group.name}`;
      if (!groups.has(key)) groups.set(key, group);
    }
  }
  return [...groups.values()];
}

function groupsIn(path: string, value: unknown): PastGroup[] {
  if (path === '$.segments') return textElements(value).map((name) => ({ by: 'segment', name }));
  if (path === '$.tier') return tierGroups(value);
  const [, dotted, quoted] = policyPath.exec(path) ?? [];
  const policy = dotted ?? quoted;
  return policy !== undefined && typeof value === 'string' ? [{ by: `tier ${policy}`, name: value }] : [];
}

function tierGroups(value: unknown): PastGroup[] {
  const levels = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return levels.flatMap(([policy, name]) => (typeof name === 'string' ? [{ by: `tier ${policy}`, name }] : []));
}

function textElements(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
