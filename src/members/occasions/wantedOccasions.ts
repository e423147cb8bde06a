import type { Author } from '#base/db/records';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type OrgVersions, readOrgVersions } from '#platform/orgs/orgVersions';

/**
 * Finds the occasions of a program that active rules want; undefined when there are none. No other occasions are
 * posted.
 */
export type WantedOccasions = RuleSet['occasionsOf'];

/** The occasions that the rules in force want. It runs no query when the author has the versions of the org. */
export async function wantedInForce(
  { db, ruleSets }: Pick<Infrastructure, 'db' | 'ruleSets'>,
  { org, versions }: Author & { versions?: OrgVersions },
  now: Date,
): Promise<WantedOccasions> {
  const { ruleSetVersion } = versions ?? (await readOrgVersions(db, org, now));
  const ruleSet = await ruleSets.current(org, ruleSetVersion);
  return (program) => ruleSet?.occasionsOf(program);
}
