import { createHash } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { canonicalJson } from '#base/common/canonicalJson';
import { yieldNow } from '#base/common/yielding';
import { collectionOf } from '#base/db/collections';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import { noRule, type SetAside } from '#engine/rules/setAsideShape';
import { writtenRule } from '../diffRuleSets';

/** What names a rule within an org. */
type Named = Pick<SetAside, 'program' | 'key'>;

/** A string that identifies a rule within an org: codes and keys have no blanks. */
export function idOfNamed({ program, key }: Named): string {
  return `${program} ${key}`;
}

/** A string that identifies a rule within an org. */
export function idOfRule({ programCode, key }: Pick<RuleDefinition, 'programCode' | 'key'>): string {
  return idOfNamed({ program: programCode, key });
}

/** Content hash of a rule, whatever file it is in and in which order its fields are. */
export function ruleHash(rule: RuleDefinition): string {
  return createHash('sha256')
    .update(canonicalJson(writtenRule(rule)))
    .digest('hex');
}

/** Number of rules to hash between two pauses. */
const rulesAtOnce = 200;

/** The content hashes of rules, by {@link idOfRule}. */
export async function ruleHashes(rules: readonly RuleDefinition[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const [n, rule] of rules.entries()) {
    if (n % rulesAtOnce === rulesAtOnce - 1) await yieldNow();
    hashes.set(idOfRule(rule), ruleHash(rule));
  }
  return hashes;
}

/** A rule set in force, as far as it says what the files have. */
type InForce = Pick<PublishedRuleSet, 'org' | 'version' | 'drafts' | 'setAside' | 'held' | 'filesVersion'>;

/**
 * The rules of the files that a version keeps out of force. Versions of earlier releases only say which version last had
 * the rules of the files.
 */
export async function readSetAside(db: Connection, set: InForce | undefined): Promise<SetAside[]> {
  if (!set || set.setAside || set.filesVersion === undefined || !set.held) return set?.setAside ?? [];
  const { org, filesVersion: version } = set;
  const files = await findSet(db, org, version);
  if (!files) return [];
  const keptPrograms = new Set(set.held);
  const own = (drafts: readonly RuleDefinition[]) => drafts.filter(({ programCode }) => keptPrograms.has(programCode));
  return newlySetAside({ version, drafts: own(files.drafts) }, [], own(set.drafts));
}

/** Reads a version; undefined when there is none. */
export async function findSet(db: Connection, org: ObjectId, version: number): Promise<PublishedRuleSet | undefined> {
  return (await collectionOf(db, ruleSetResource).findOne({ org, version })) ?? undefined;
}

/**
 * What is set aside when `next` replaces a version that has the rules of the files, except for those set aside before.
 */
export async function newlySetAside(
  { version, drafts }: Pick<PublishedRuleSet, 'version' | 'drafts'>,
  before: readonly SetAside[],
  next: readonly RuleDefinition[],
): Promise<SetAside[]> {
  const files = new Map<string, SetAside>();
  const hashes = await ruleHashes(drafts);
  for (const { programCode: program, key } of drafts) {
    const id = idOfNamed({ program, key });
    files.set(id, { program, key, hash: hashes.get(id) ?? noRule, version });
  }
  for (const { bySchedule: _by, ...entry } of before) files.set(idOfNamed(entry), entry);
  const wanted = await ruleHashes(next);
  for (const { programCode: program, key } of next) {
    const id = idOfNamed({ program, key });
    if (!files.has(id)) files.set(id, { program, key, hash: noRule });
  }
  return [...files]
    .filter(([id, { hash }]) => hash !== (wanted.get(id) ?? noRule))
    .map(([, entry]) => entry)
    .sort((a, b) => (idOfNamed(a) < idOfNamed(b) ? -1 : 1));
}
