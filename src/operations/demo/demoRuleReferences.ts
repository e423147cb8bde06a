import { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { programDefinition } from '#publishing/rulesets/loadRuleReferences';
import { builtInChannelTypes, ruleActivityTypes } from '#records/activities/activity';
import {
  demoEnums,
  demoOffers,
  demoPartners,
  demoPolicies,
  demoProgram,
  demoRewards,
  demoTierPolicies,
} from './definitions';

/** The definitions of the demo program that rule files may name, for checks without a database. */
export function demoRuleReferences(): RuleReferences {
  const author = { org: new ObjectId(), userId: new ObjectId() };
  const programId = new ObjectId();
  const made = (id?: ObjectId) => newStamps(author, new Date(0), id);
  const own = () => ({ ...made(), program: programId });
  const valuesOf = (enumType: string) => demoEnums.flatMap(({ type, value }) => (type === enumType ? [value] : []));
  return {
    programs: [
      programDefinition(
        { ...made(programId), ...demoProgram },
        demoPolicies.map((policy) => ({ ...own(), ...policy })),
        demoTierPolicies.map((policy) => ({ ...own(), ...policy })),
        {
          offers: demoOffers.map((offer) => ({ ...own(), ...offer })),
          rewards: demoRewards.map((reward) => ({ ...own(), ...reward })),
        },
      ),
    ],
    activityTypes: [...ruleActivityTypes, ...valuesOf('ActivityType')],
    codes: {
      channels: [...builtInChannelTypes, ...valuesOf('ChannelType')],
      partners: demoPartners.map((partner) => partner.code),
      units: valuesOf('SalesUOM'),
    },
    segments: [],
    metrics: [],
  };
}
