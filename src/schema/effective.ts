import { type Static, Type } from '@sinclair/typebox';
import type { FieldError } from '../errors';
import { instant, record } from './atoms';

/** When something holds: from `from` on, before `to`; either may be open. */
export const effectiveShape = record({ from: Type.Optional(instant()), to: Type.Optional(instant()) });

/** What the schema cannot say of {@link effectiveShape}: it begins before it ends. Paths are below `effective`. */
export function effectiveFaults({ from, to }: Static<typeof effectiveShape> = {}): FieldError[] {
  if (!from || !to || from < to) return [];
  return [{ path: 'effective.to', kind: 'date', message: 'must be after effective.from' }];
}
