import { Type } from '@sinclair/typebox';
import { count, instant, integerMax, list, objectId, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import type { RuleDefinition } from './format/rule';
import { setAsideShape } from './setAsideShape';

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
    rollbackOf: Type.Optional(
      Type.Integer({ minimum: 1, maximum: integerMax, description: 'The version whose rules a rollback took again' }),
    ),
    held: Type.Optional(
      list(text(64), 5000, {
        description: 'Codes of programs whose rules are those of a rollback until their files change',
      }),
    ),
    setAside: Type.Optional(
      list(setAsideShape, 100_000, {
        description: 'Rules of the files that are not in force, each until its own file has it otherwise',
      }),
    ),
    filesVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: integerMax,
        description: 'The last version with the rules of their files; only in versions of earlier releases',
      }),
    ),
    from: Type.Optional(instant({ description: 'Scheduled for this moment, or came into force so' })),
    programs: Type.Optional(
      list(text(64), 5000, { description: 'Of a scheduled version: the codes of the programs whose rules it changes' }),
    ),
    scheduleOf: Type.Optional(
      Type.Integer({ minimum: 1, maximum: integerMax, description: 'The scheduled version whose rules these are' }),
    ),
    adoptedAs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: integerMax, description: 'The version as which it came into force' }),
    ),
    withdrawnAt: Type.Optional(instant({ description: 'When it was withdrawn before it came into force' })),
    withdrawnBy: Type.Optional(objectId('User')),
    failure: Type.Optional(text(500, { description: 'Why it did not come into force' })),
    drafts: list(Type.Unsafe<RuleDefinition>({ type: 'object' }), 100_000),
  },
  // May be megabytes. `GET /rules` shows the rules in force.
  hidden: ['drafts'],
  indexes: [{ keys: { org: 1, version: 1 }, unique: true }],
});

export type PublishedRuleSet = DocOf<typeof ruleSetResource>;
