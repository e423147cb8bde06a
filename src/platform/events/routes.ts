import { Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { list, objectId, oneOf, record } from '#base/schema/atoms';
import { defineRoute, ok, type Route } from '#platform/http/route';
import {
  type EventType,
  eventIdShape,
  eventTypes,
  isEventType,
  shownEvent,
  shownEventShape,
} from '#records/events/event';
import { readEvents } from './readEvents';

/** Most events of an answer, and how many there are by default. */
const limits = { max: 1000, default: 100 } as const;

const eventsRoute = defineRoute({
  method: 'GET',
  path: '/events',
  permission: 'events:read',
  tag: 'Events',
  summary: 'Read events',
  description:
    'What commits did, in the order of the commits. To follow them, pass `next` of one answer as `after` of the next ' +
    'request. An answer without events has `next` too. An event appears within about a second.',
  query: {
    after: { description: 'Id after which to begin; absent: the oldest event that is kept', schema: eventIdShape },
    types: { description: 'Only events of these types', schema: list(oneOf(eventTypes), eventTypes.length) },
    program: { description: 'Only events of this program', schema: objectId('Program') },
    member: { description: 'Only events of this member', schema: objectId('Member') },
    limit: {
      description: 'Most events in the answer',
      schema: Type.Integer({ minimum: 1, maximum: limits.max, default: limits.default }),
    },
  },
  responses: {
    200: record({
      events: list(shownEventShape, limits.max),
      next: Type.String({ ...eventIdShape, description: 'Pass it as `after` to go on' }),
    }),
  },
  errors: [410],
  handle: async ({ services: { db }, principal: { org }, query: { after, types, program, member, limit } }) => {
    const { events, next } = await readEvents(db, org, {
      ...(after === undefined ? {} : { after }),
      ...(types === undefined ? {} : { types: parseTypes(types) }),
      ...(program === undefined ? {} : { program: parseId('program', program) }),
      ...(member === undefined ? {} : { member: parseId('member', member) }),
      limit: limit === undefined ? limits.default : parseLimit(limit),
    });
    return ok({ events: events.map(shownEvent), next });
  },
});

function parseTypes(text: string): EventType[] {
  return text.split(',').map((name) => {
    if (isEventType(name)) return name;
    throw malformed(
      message('events.unknownType', { name: JSON.stringify(name.slice(0, 50)), types: eventTypes.join(', ') }),
    );
  });
}

function parseId(name: string, text: string): ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text)) throw malformed(message('query.hexId', { name }));
  return new ObjectId(text);
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limits.max) return limit;
  throw malformed(message('query.limitRange', { max: limits.max }));
}

/** The route that reads events. */
export const eventRoutes: Route[] = [eventsRoute];
