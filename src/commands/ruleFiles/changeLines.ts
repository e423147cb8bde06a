import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { systemClock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import type { RuleFolders } from '#publishing/rulesets/files/ruleFolders';
import { createRuleSets } from '#publishing/rulesets/ruleSets';
import { orgResource } from '#records/users/org';

/** What loading the rule files of an org would change of its rules in force, and what a rollback keeps out. */
export async function changeLines(db: Connection, folders: RuleFolders): Promise<string[]> {
  const org = await collectionOf(db, orgResource).findOne({ code: folders.orgCode });
  const options = { ...folders, db, clock: systemClock, log: pino({ level: 'silent' }) };
  if (!org) return [];
  const { changes, setAside } = await createRuleSets(options).plan(org._id);
  const named = (what: string, rules: readonly { program: string; key: string }[]) =>
    rules.map(({ program, key }) => `  ${what}: ${program}/${key}`);
  const lines = [
    ...named('new', changes.added),
    ...named('changed', changes.changed),
    ...named('ended', changes.removed),
    ...named('rolled back, so it stays out until its own file changes', setAside),
  ];
  return lines.length > 0 ? ['Loaded, these files would change of the rules in force:', ...lines] : [];
}
