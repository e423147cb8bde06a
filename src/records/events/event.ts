import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { instant, named, objectId, oneOf, record } from '#base/schema/atoms';
import { eventData } from './eventData';

/** The type of an event: what a commit did (docs/design/events.md). */
export type EventType = keyof typeof eventData;

/** Every type of event. */
export const eventTypes = Object.keys(eventData) as readonly EventType[];

/** Tells whether a string names a type of event. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(eventData, name);
}

/** The data of a type of event. */
export type EventData<T extends EventType> = Static<(typeof eventData)[T]>;

type Stored<T extends EventType> = T extends EventType
  ? {
      readonly type: T;
      /** Absent when the event concerns no program, or no member. */
      readonly program?: ObjectId;
      readonly member?: ObjectId;
      readonly data: EventData<T>;
    }
  : never;

/** An event as its commit stores it. Its time is the time of the commit. */
export type StoredEvent = Stored<EventType>;

/** The schema of an event as it is stored. */
export const storedEventShape = Type.Unsafe<StoredEvent>({
  oneOf: eventShapes({ program: Type.Optional(objectId()), member: Type.Optional(objectId()) }),
});

/** The schema of the events of each type, with these additional fields. */
function eventShapes(besides: TProperties): TSchema[] {
  return Object.entries(eventData).map(([type, data]) => record({ type: oneOf([type]), ...besides, data }));
}

/** An event with its place among all events of the org. */
export type OrgEvent = StoredEvent & {
  /** Sorts as the events were committed. */
  readonly id: string;
  readonly at: Date;
};

/** An event as clients see it: `program` and `member` are null where it concerns none. */
export interface ShownEvent extends Pick<OrgEvent, 'id' | 'type' | 'at' | 'data'> {
  program: ObjectId | null;
  member: ObjectId | null;
}

/** The id of an event: its number in the org with 16 digits, so that strings and numbers sort alike. */
export const eventIdShape = Type.String({
  pattern: '^\\d{16}$',
  examples: ['0000000000000042'],
  description: 'Greater for later events of the org, compared as a text',
});

const orNull = (ref: string) =>
  Type.Unsafe<ObjectId | null>({ anyOf: [objectId(ref), { type: 'null' }], description: 'null when it concerns none' });

/** The schema of an event in answers and in the bodies of webhooks. */
export const shownEventShape: TSchema = named(
  'Event',
  Type.Unsafe<ShownEvent>({
    oneOf: eventShapes({
      id: eventIdShape,
      at: instant({ description: 'When it was committed' }),
      program: orNull('Program'),
      member: orNull('Member'),
    }).map((shape, index) => named(eventSchemaName(eventTypes[index] ?? ''), shape)),
  }),
);

/** The name of the schema of a type in the OpenAPI document, such as PointsEarnedEvent. */
function eventSchemaName(type: string): string {
  return `${type.replace(/(?:^|\.)\w/g, (start) => start.replace('.', '').toUpperCase())}Event`;
}

/** The event as clients see it. */
export function shownEvent({ id, type, at, program, member, data }: OrgEvent): ShownEvent {
  return { id, type, at, program: program ?? null, member: member ?? null, data };
}
