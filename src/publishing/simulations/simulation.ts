import { Type } from '@sinclair/typebox';
import { claimFields, hiddenClaimFields } from '#base/db/leases/claimedWork';
import { count, instant, integerMax, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { failureFields } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';
import type { RuleDefinition } from '#engine/rules/format/rule';
import { simulationResult } from '#engine/rules/simulate/simulationResult';

const optional = Type.Optional;

/** Days after which a simulation is deleted. */
export const retentionDays = 30;

/** The fields that select the activities of a simulation. */
export const scopeFields = {
  from: optional(instant({ description: 'Earliest date of an activity' })),
  to: optional(instant({ description: 'Activities must be dated before this instant' })),
  sample: optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'Share of the members; the same members every time' }),
  ),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: integerMax,
      description: 'Maximum number of activities, in the order of processing',
    }),
  ),
};

/** Simulations of changed rules, run by the workers. */
export const simulationResource = defineResource({
  name: 'Simulation',
  path: 'simulations',
  access: 'operation',
  tag: 'Simulations',
  permissions: { delete: 'rules:simulate' },
  fields: {
    status: oneOf(['Queued', 'Running', 'Done', 'Failed']),
    program: optional(objectId('Program')),
    ...scopeFields,
    progress: record({ read: count(), evaluated: count(), total: count() }),
    startedAt: optional(instant()),
    finishedAt: optional(instant()),
    ...failureFields,
    result: optional(simulationResult),
    /** The checked rules to try. */
    drafts: list(Type.Unsafe<RuleDefinition>({ type: 'object' }), 100_000),
    /** The programs to simulate. Absent in simulations of earlier versions. */
    programs: optional(list(objectId('Program'), 1000)),
    /** The request that asked for it, which the log lines of its runs name. */
    requestId: optional(text(100)),
    /** A killed run is started again. */
    ...claimFields,
    keptUntil: instant(),
  },
  hidden: ['drafts', 'programs', 'requestId', ...hiddenClaimFields, 'keptUntil'],
  indexes: [
    { keys: { status: 1, _id: 1 }, where: { status: { $in: ['Queued', 'Running'] } } },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

export type StoredSimulation = DocOf<typeof simulationResource>;
