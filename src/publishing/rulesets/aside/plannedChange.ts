import { Type } from '@sinclair/typebox';
import type { Connection } from 'mongoose';
import { list, record } from '#base/schema/atoms';
import type { PublishedRuleSet } from '#engine/rules/publishedRuleSet';
import type { SetAside } from '#engine/rules/setAsideShape';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { diffRuleSets, type RuleSetDiff, ruleSetDiffShape } from '../diffRuleSets';
import type { Planned } from '../loadRules';
import { readSetAside } from './setAside';

/** Maximum number of rules that are set aside in an answer. */
const shownMax = 1000;

/** How the rules in force differ before and after, and what stays set aside. */
export const ruleChangesShape = record({
  changes: { ...ruleSetDiffShape, description: 'All rules that differ in force before and after, of every program' },
  setAside: list(record({ program: Type.String({ description: 'Code' }), key: Type.String() }), shownMax, {
    description: 'Rules that a rollback keeps as they are in force, although their files have them otherwise',
  }),
});

/** How the rules in force differ before and after, and what stays set aside. */
export interface RuleChanges {
  changes: RuleSetDiff;
  setAside: { program: string; key: string }[];
}

/** What a load would change, and the faults because of which programs would keep their rules. */
export interface PlannedChange extends RuleChanges {
  errors: readonly RuleFault[];
}

/** What a planned load would change. */
export function plannedChange({ before, merged, setAside, found }: Planned): PlannedChange {
  const inForce = before.set?.drafts ?? [];
  const isEmpty = found.size === 0 && merged.errors.length === 0;
  // Without any files, nothing changes.
  const after = isEmpty || !merged.hasTaken ? inForce : merged.drafts;
  return { changes: diffRuleSets(inForce, after), setAside: shownAside(setAside.after), errors: merged.errors };
}

/** The difference between two versions that were in force one after the other. */
export async function changesBetween(
  db: Connection,
  before: PublishedRuleSet | undefined,
  after: PublishedRuleSet | undefined,
): Promise<RuleChanges> {
  const changes = diffRuleSets(before?.drafts ?? [], after?.drafts ?? []);
  return { changes, setAside: shownAside(await readSetAside(db, after)) };
}

function shownAside(setAside: readonly SetAside[]): RuleChanges['setAside'] {
  return setAside.slice(0, shownMax).map(({ program, key }) => ({ program, key }));
}
