import { invalidField, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { hasLostRace, withRetries } from '#base/db/transaction';
import { compareRules, type RuleDefinition } from '#engine/rules/format/rule';
import { noLookupTables } from '#engine/rules/lookup/lookupTable';
import type { PublishedRuleSet } from '#engine/rules/publishedRuleSet';
import type { SetAside } from '#engine/rules/setAsideShape';
import { adoptScheduled } from '../adoptScheduled';
import { contentHash } from '../files/contentHash';
import { publishRules } from '../publishRules';
import { type RollbackSource, readRuleSetVersion, requireFit } from '../rollBack';
import { guardedRules } from '../ruleSetInForce';
import { findSet, idOfNamed, idOfRule, readSetAside } from './setAside';

/** A rule by the code of its program and its key. */
export type NamedRule = Pick<SetAside, 'program' | 'key'>;

/**
 * Puts rules that were set aside into force again as their files had them, or ends them when no file had them.
 * @returns the number of the version in force
 * Nothing happens to rules that are in force as their files have them.
 * @throws ServiceError 1200 when there is no such rule, or the rules do not hold together; 1310 when other
 *   publications always win
 */
export function restoreRules(source: RollbackSource, rules: readonly NamedRule[]): Promise<number> {
  return withRetries(() => attempt(source, rules), { isWorthRetrying: hasLostRace });
}

async function attempt(source: RollbackSource, rules: readonly NamedRule[]): Promise<number> {
  const { db, author, clock } = source;
  await adoptScheduled({ db, clock }, { org: author.org, now: clock.now() });
  const before = await guardedRules(db, author.org);
  const { set } = before;
  if (!set) throw notFound('RuleSet');
  const setAside = await readSetAside(db, set);
  const wanted = new Set(rules.map(idOfNamed));
  const chosen = setAside.filter((entry) => wanted.has(idOfNamed(entry)));
  await requireKnown(source, set, rules, chosen);
  if (chosen.length === 0) return set.version;
  const others = set.drafts.filter((rule) => !wanted.has(idOfRule(rule)));
  const drafts = [...others, ...(await rulesOfFiles(source, chosen))].sort(compareRules);
  await requireFit(source, { ...set, drafts });
  const { held: keptPrograms } = set;
  const remains = setAside.filter((entry) => !chosen.includes(entry));
  const rollback = { ...(keptPrograms ? { held: keptPrograms } : {}), setAside: remains };
  const hash = contentHash(drafts);
  return publishRules(source, { before, load: undefined, drafts, hash, lookupTables: noLookupTables, rollback });
}

/** A rule that is in force as its file has it may be named: the same request may come twice. */
async function requireKnown(
  { db, author }: RollbackSource,
  { version, drafts }: PublishedRuleSet,
  rules: readonly NamedRule[],
  chosen: readonly SetAside[],
): Promise<void> {
  const before = await findSet(db, author.org, version - 1);
  const known = new Set([...chosen.map(idOfNamed), ...[...drafts, ...(before?.drafts ?? [])].map(idOfRule)]);
  const at = rules.findIndex((rule) => !known.has(idOfNamed(rule)));
  if (at >= 0) throw invalidField(`rules.${at}`, 'reference', message('ruleFiles.noneSetAside'));
}

/** The rules that files had when they were set aside. */
export async function rulesOfFiles(
  { db, author }: Pick<RollbackSource, 'db'> & { author: Pick<RollbackSource['author'], 'org'> },
  setAside: readonly SetAside[],
): Promise<RuleDefinition[]> {
  const wanted = new Map(setAside.map((entry) => [idOfNamed(entry), entry.version]));
  const versions = [...new Set(setAside.flatMap(({ version }) => version ?? []))];
  const found: RuleDefinition[] = [];
  for (const version of versions) {
    const { drafts } = await readRuleSetVersion(db, author.org, version);
    found.push(...drafts.filter((rule) => wanted.get(idOfRule(rule)) === version));
  }
  return found;
}
