import { Type } from '@sinclair/typebox';
import type { RuleDraft } from '../rules/format/rule';
import { count, instant, integerMax, list, text } from '../schema/atoms';
import { type DocOf, defineResource } from '../schema/resource';

/**
 * Rule sets as published: immutable, numbered 1, 2, 3 … per org. They hold the checked rules themselves, so that any
 * past version evaluates as it did, whatever became of files, definitions and checks.
 */
export const ruleSetResource = defineResource({
  name: 'RuleSet',
  path: 'rulesets',
  fields: {
    version: Type.Integer({ minimum: 1, maximum: integerMax }),
    hash: text(64, { description: 'SHA-256 of the checked rules' }),
    publishedAt: instant(),
    rules: count({ description: 'How many rules it holds' }),
    drafts: list(Type.Unsafe<RuleDraft>({ type: 'object' }), 100_000),
  },
  // Megabytes; `GET /rules` shows the rules in force.
  hidden: ['drafts'],
  indexes: [{ keys: { org: 1, version: 1 }, unique: true }],
});

export type PublishedRuleSet = DocOf<typeof ruleSetResource>;
