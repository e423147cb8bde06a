import { type Static, Type } from '@sinclair/typebox';
import type { FieldError } from '../common/errors';
import { instant, record } from './atoms';

/** When something holds: from `from` on, before `to`; either may be open. */
export const effectiveShape = record({ from: Type.Optional(instant()), to: Type.Optional(instant()) });

type Effective = Static<typeof effectiveShape>;

/** What the schema cannot say of {@link effectiveShape}: it begins before it ends. Paths are below `effective`. */
export function effectiveFaults({ from, to }: Effective = {}): FieldError[] {
  if (!from || !to || from < to) return [];
  return [{ path: 'effective.to', kind: 'date', message: 'must be after effective.from' }];
}

/** Why something does not hold at a date; undefined when it does. */
export function effectiveFault({ from, to }: Effective = {}, date: Date): string | undefined {
  if (from && date < from) return `is valid from ${from.toISOString()} on`;
  if (to && date >= to) return `was valid before ${to.toISOString()}`;
  return undefined;
}
