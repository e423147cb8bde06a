import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';

/** A program with everything that the tables of tests refer to. */
export const tableDefinitions: RuleReferences = {
  programs: [
    {
      _id: new ObjectId('0123456789abcdef01234567'),
      code: 'demo',
      timezone: 'UTC',
      purses: ['Points'],
      tiers: [{ name: 'Status', levels: ['Basic', 'Gold'].map((name, number) => ({ name, number })) }],
      offers: [],
      rewards: [],
    },
  ],
  activityTypes: ['Accrual'],
  segments: ['VIP'],
  metrics: [],
};
