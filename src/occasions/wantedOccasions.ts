import type { Backing } from '../backing/backing';
import type { Author } from '../db/records';
import { type OrgVersions, readOrgVersions } from '../orgs/orgVersions';
import type { RuleSet } from '../rules/evaluate/ruleSet';

/** The occasions that active rules of a program are for. No others are posted. Undefined when there are none. */
export type WantedOccasions = RuleSet['occasionsOf'];

/** The occasions that the rules in force are for. An author with the versions of the org costs no query. */
export async function wantedInForce(
  { db, ruleSets }: Pick<Backing, 'db' | 'ruleSets'>,
  { org, versions }: Author & { versions?: OrgVersions },
  now: Date,
): Promise<WantedOccasions> {
  const { ruleSetVersion } = versions ?? (await readOrgVersions(db, org, now));
  const ruleSet = await ruleSets.current(org, ruleSetVersion);
  return (program) => ruleSet?.occasionsOf(program);
}
