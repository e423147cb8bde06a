import { ObjectId } from 'bson';
import { builtInActivityTypes } from '../records/activities/activity';
import type { RuleReferences } from '../rules/format/ruleReferences';
import { demoEnums, demoOffers, demoPolicies, demoProgram, demoRewards, demoTierPolicies } from './definitions';

/** The definitions of the demo program that rule files may name, for checks without a database. */
export function demoRuleReferences(): RuleReferences {
  const { code, timezone } = demoProgram;
  const purses = demoPolicies.map(({ name }) => name);
  const tiers = demoTierPolicies.map(({ name, levels }) => ({
    name,
    levels: levels.map((level) => ({ name: level.name, number: level.number })),
  }));
  const ownTypes = demoEnums.flatMap(({ type, value }) => (type === 'ActivityType' ? [value] : []));
  return {
    programs: [
      {
        _id: new ObjectId(),
        code,
        timezone,
        purses,
        tiers,
        offers: demoOffers.map(({ code: each }) => each),
        rewards: demoRewards.map(({ code: each }) => each),
      },
    ],
    activityTypes: [...builtInActivityTypes, ...ownTypes],
    segments: [],
    metrics: [],
  };
}
