import { Type } from '@sinclair/typebox';
import { freeObject, instant, integerMax, objectId, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * Rules as last published. Accrual items and log entries refer to them. The id of a rule is the same in every version.
 * A rule that is no longer published stays here with its last version, so that its past awards can be explained.
 */
export const ruleResource = defineResource({
  name: 'Rule',
  path: 'rules',
  access: 'operation',
  tag: 'Rules',
  fields: {
    key: text(100, { description: 'Unique in the program' }),
    name: text(200),
    description: Type.Optional(Type.String()),
    program: objectId('Program'),
    status: text(20, { description: 'draft, active or paused' }),
    version: Type.Integer({
      minimum: 1,
      maximum: integerMax,
      description: 'Version of the last rule set with this rule',
    }),
    file: text(500, { description: 'Path from RULES_DIR' }),
    changedAt: Type.Optional(instant({ description: 'When a publication last changed the definition' })),
    definition: freeObject({ description: 'The rule as written in its file' }),
  },
  indexes: [{ keys: { org: 1, program: 1, key: 1 }, unique: true }, { keys: { org: 1, version: 1 } }],
});
