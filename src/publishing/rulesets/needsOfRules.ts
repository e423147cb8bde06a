import { isDeepStrictEqual } from 'node:util';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { brokenUses, type RecordChange } from '#engine/rules/check/brokenUses';
import type { NamedChange, RuleNeed } from '#engine/rules/check/rulesInForce';
import { namedFields, type RuleUse, ruleUses } from '#engine/rules/check/ruleUses';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import { asNamed } from '#programs/extensions/namedExtDef';
import { orgResource } from '#records/users/org';

/** The uses by the rules in force and the scheduled ones that a change of a record would break. */
export async function needsOfRules(
  db: Connection,
  current: (org: ObjectId, version: number | undefined) => Promise<RuleSet | undefined>,
  change: NamedChange,
): Promise<RuleNeed> {
  const { org, model } = change;
  if (!takesNames(model, change)) return { broken: [] };
  const found = await collectionOf(db, orgResource).findOne({ _id: org });
  const { ruleSetVersion, lastRuleSetVersion, scheduledRules = [] } = found ?? {};
  const versions = [ruleSetVersion, ...scheduledRules.map(({ version }) => version)];
  const sets = await Promise.all(versions.map((version) => current(org, version)));
  const uses = sets.flatMap((rules) => (rules ? (usesByModel(rules).get(model) ?? []) : []));
  return { broken: brokenUses(uses, await asNamed(db, change)), seen: { ruleSetVersion, lastRuleSetVersion } };
}

/** Whether a change affects a field that rules may rely on. */
function takesNames(model: string, { before, after }: RecordChange): boolean {
  const fields = Object.hasOwn(namedFields, model) ? namedFields[model] : undefined;
  if (!fields) return false;
  return !after || fields.some((name) => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name)));
}

/** The uses of a rule set by model. Cached, since rule sets are immutable. */
const listed = new WeakMap<RuleSet, ReadonlyMap<string, RuleUse[]>>();

function usesByModel(set: RuleSet): ReadonlyMap<string, RuleUse[]> {
  const known = listed.get(set);
  if (known) return known;
  const byModel = groupBy(set.rules.flatMap(ruleUses), ({ model }): string => model);
  listed.set(set, byModel);
  return byModel;
}
