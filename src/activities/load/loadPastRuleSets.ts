import type { Backing } from '../../backing/backing';
import { collectionOf } from '../../db/collections';
import type { RuleSet } from '../../rules/evaluate/ruleSet';
import { ruleSetResource } from '../../rulesets/publishedRuleSet';
import type { BatchScope } from '../state/batchScope';

/**
 * The rule sets that evaluated the targets of returns of a part, by version: what is left of them is decided again. One
 * that is stored no more is left out.
 */
export async function loadPastRuleSets(
  { db, ruleSets }: Pick<Backing, 'db' | 'ruleSets'>,
  { org, works, targets }: Pick<BatchScope, 'org' | 'works' | 'targets'>,
): Promise<ReadonlyMap<number, RuleSet>> {
  const parts = works.flatMap(({ cancel }) => (cancel?.lines || cancel?.value !== undefined ? [cancel.targetId] : []));
  const asked = targets.filter(({ _id }) => parts.some((id) => id.equals(_id)));
  const versions = [...new Set(asked.flatMap(({ ruleSet }) => ruleSet ?? []))];
  if (versions.length === 0) return new Map();
  const stored = await collectionOf(db, ruleSetResource)
    .find({ org, version: { $in: versions } })
    .project<{ version: number }>({ version: 1 })
    .toArray();
  const sets = await Promise.all(
    stored.map(async ({ version }) => [version, await ruleSets.current(org, version)] as const),
  );
  return new Map(sets.flatMap(([version, set]) => (set ? [[version, set] as const] : [])));
}
