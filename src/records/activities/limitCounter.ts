import { Type } from '@sinclair/typebox';
import { count, decimal, list, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * The used amount of a limit or budget for one subject and period. `rules/format/limits.ts` derives the `_id`. For a
 * limit by a window, `uses` says how much was used when (`rules/format/windowUses.ts`).
 */
export const limitCounterResource = defineResource({
  name: 'LimitCounter',
  path: 'limitcounters',
  isInternal: true,
  fields: {
    used: decimal(),
    uses: Type.Optional(list(record({ at: decimal(), till: Type.Optional(decimal()), amount: decimal() }), 1000)),
    /** How often a counter with `uses` was written. By it a batch notices that another one ran at the same time. */
    writes: Type.Optional(count()),
  },
});

export type LimitCounter = DocOf<typeof limitCounterResource>;
