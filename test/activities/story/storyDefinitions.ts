import { ObjectId } from 'bson';
import { runStory } from '../../../src/activities/story/runStory';
import { newStamps } from '../../../src/db/records';
import { type Program, programResource } from '../../../src/records/programs/program';
import { type PursePolicy, pursePolicyResource } from '../../../src/records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '../../../src/records/programs/tierPolicy';
import type { RuleReferences } from '../../../src/rules/format/ruleReferences';
import { readRules } from '../../../src/rules/read/readRules';
import { programDefinition } from '../../../src/rulesets/loadRuleReferences';

const stamps = () => newStamps({ org: new ObjectId(), userId: new ObjectId() }, new Date(0));

/** A program `demo` in New York with these purses and tiers, without a database. */
export function storyDefinitions(
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
  definitions: RuleReferences = storyDefinitions(),
): Promise<string[]> {
  const text = JSON.stringify(rules, null, 1);
  const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions, runStory);
  return errors.map(({ message }) => message);
}
