import { Type } from '@sinclair/typebox';
import { oneOf, record } from '#base/schema/atoms';
import { makeShapeCheck } from '../source/checkShape';
import type { FactParams } from './factParams';
import type { FactRef } from './factRef';

const clocks = ['program', 'location'] as const;

/** Which time zone counts: the program's, or the one of the activity's location. */
export type Clock = (typeof clocks)[number];

/** The schema of a {@link Clock}. */
export const clockShape = Type.Optional(
  oneOf(clocks, {
    description:
      "location: by the time zone of the activity's location, when it has one; program (the default): by the program's",
  }),
);

const shape = record({ clock: clockShape });

/** Params of the facts `dayOfWeek` and `hour`. */
export const clockParams: FactParams = { shape, check: makeShapeCheck(shape) };

/** The clock in the params of a fact. */
export function readClock(params: FactRef['params']): Clock {
  return params?.clock === 'location' ? 'location' : 'program';
}

/** The time zone of a clock. A location without a time zone has the program's. */
export function clockTimezone(clock: Clock | undefined, program: { timezone: string }, location: unknown): string {
  if (clock !== 'location' || typeof location !== 'object' || location === null) return program.timezone;
  const timezone: unknown = Reflect.get(location, 'timezone');
  return typeof timezone === 'string' ? timezone : program.timezone;
}
