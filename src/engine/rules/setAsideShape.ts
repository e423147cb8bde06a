import { type Static, Type } from '@sinclair/typebox';
import { integerMax, record, text } from '#base/schema/atoms';

/** The `hash` of a rule that no file has. */
export const noRule = 'none';

/** A rule of the files that is not in force, because a rollback or a scheduled version has another or none. */
export const setAsideShape = record({
  program: text(64, { description: 'Code' }),
  key: text(300),
  hash: text(64, { description: 'Content hash of the rule as its file had it; none: no file had it' }),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: integerMax, description: 'A version that has the rule as its file had it' }),
  ),
  bySchedule: Type.Optional(
    Type.Boolean({ description: 'A scheduled version did it, so the next one may bring back what the file has' }),
  ),
});

export type SetAside = Static<typeof setAsideShape>;
