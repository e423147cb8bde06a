import { ObjectId } from 'bson';
import { builtInActivityTypes } from '../activities/activity';
import type { Definitions } from '../rules/definitions';
import { demoEnums, demoPolicies, demoProgram, demoTierPolicies } from './definitions';

/** The definitions of the demo program as rule files may refer to them, for checks without a database. */
export function demoDefinitions(): Definitions {
  const { code, timezone } = demoProgram;
  const purses = demoPolicies.map(({ name }) => name);
  const tiers = demoTierPolicies.map(({ name, levels }) => ({
    name,
    levels: levels.map((level) => ({ name: level.name, number: level.number })),
  }));
  const ownTypes = demoEnums.flatMap(({ type, value }) => (type === 'ActivityType' ? [value] : []));
  return {
    programs: [{ _id: new ObjectId(), code, timezone, purses, tiers }],
    activityTypes: [...builtInActivityTypes, ...ownTypes],
    segments: [],
    metrics: [],
  };
}
