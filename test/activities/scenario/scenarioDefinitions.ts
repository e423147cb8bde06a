import { ObjectId } from 'bson';
import { runScenario } from '#activities/scenario/runScenario';
import { newStamps } from '#base/db/records';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';
import { programDefinition } from '#publishing/rulesets/loadRuleReferences';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';

const stamps = () => newStamps({ org: new ObjectId(), userId: new ObjectId() }, new Date(0));

/** A program `demo` in New York with these purses and tiers, without a database. */
export function scenarioDefinitions(
  policies: readonly Record<string, unknown>[] = [{ name: 'Points' }],
  tierPolicies: readonly Record<string, unknown>[] = [],
): RuleReferences {
  const made = <T>(parsed: unknown) => ({ ...stamps(), ...Object(parsed) }) as T;
  const program = made<Program>(
    programResource.parseCreate({ code: 'demo', name: 'Demo', timezone: 'America/New_York' }),
  );
  const own = { program: program._id.toHexString() };
  const purses = policies.map((each) => made<PursePolicy>(pursePolicyResource.parseCreate({ ...each, ...own })));
  const tiers = tierPolicies.map((each) => made<TierPolicy>(tierPolicyResource.parseCreate({ ...each, ...own })));
  const references = programDefinition(program, purses, tiers, { offers: [], rewards: [] });
  return { programs: [references], activityTypes: ['Accrual', 'Redemption'], segments: ['VIP'], metrics: [] };
}

/** The messages of the faults of rules, their tests included. */
export async function faultsOf(
  rules: readonly object[],
  definitions: RuleReferences = scenarioDefinitions(),
): Promise<string[]> {
  const text = JSON.stringify(rules, null, 1);
  const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions, runScenario);
  return errors.map(({ message }) => message);
}
