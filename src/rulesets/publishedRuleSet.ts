import { Type } from '@sinclair/typebox';
import type { RuleDefinition } from '../rules/format/rule';
import { count, instant, integerMax, list, text } from '../schema/atoms';
import { type DocOf, defineResource } from '../schema/resource';

/**
 * Published rule sets. They are immutable and numbered 1, 2, 3 … per org. Each contains its checked rules, so that a
 * past version still evaluates as before, even after changes of files, definitions and checks.
 */
export const ruleSetResource = defineResource({
  name: 'RuleSet',
  path: 'rulesets',
  access: 'operation',
  tag: 'Rules',
  fields: {
    version: Type.Integer({ minimum: 1, maximum: integerMax }),
    hash: text(64, { description: 'SHA-256 of the checked rules' }),
    publishedAt: instant(),
    rules: count({ description: 'Number of rules' }),
    drafts: list(Type.Unsafe<RuleDefinition>({ type: 'object' }), 100_000),
  },
  // May be megabytes. `GET /rules` shows the rules in force.
  hidden: ['drafts'],
  indexes: [{ keys: { org: 1, version: 1 }, unique: true }],
});

export type PublishedRuleSet = DocOf<typeof ruleSetResource>;
