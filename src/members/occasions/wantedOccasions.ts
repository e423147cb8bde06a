import type { Author } from '#base/db/records';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type OrgVersions, readOrgVersions } from '#platform/orgs/orgVersions';

/** The occasions that active rules of a program are for. No others are posted. Undefined when there are none. */
export type WantedOccasions = RuleSet['occasionsOf'];

/** The occasions that the rules in force are for. An author with the versions of the org costs no query. */
export async function wantedInForce(
  { db, ruleSets }: Pick<Infrastructure, 'db' | 'ruleSets'>,
  { org, versions }: Author & { versions?: OrgVersions },
  now: Date,
): Promise<WantedOccasions> {
  const { ruleSetVersion } = versions ?? (await readOrgVersions(db, org, now));
  const ruleSet = await ruleSets.current(org, ruleSetVersion);
  return (program) => ruleSet?.occasionsOf(program);
}
