import { Type } from '@sinclair/typebox';
import type { Timestamp } from 'bson';
import { anyValue, count, instant, integerMax, list, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { storedEventShape } from './event';

/** Most events of a page. A commit with more writes several pages. */
export const pageMax = 1000;

const number = Type.Integer({ minimum: 1, maximum: integerMax });

/**
 * The events of one commit, which writes them in its transaction. Afterwards they get their numbers in the order of the
 * commits: `first` to `last`. A page without numbers `waits`. Not reachable over HTTP as it is stored.
 */
export const eventPageResource = defineResource({
  name: 'EventPage',
  path: 'eventpages',
  isInternal: true,
  fields: {
    events: list(storedEventShape, pageMax),
    size: count(),
    /** When it was written, by the cluster clock. A commit that saw another one has a later time. */
    place: Type.Unsafe<Timestamp>(anyValue()),
    /** The types of its events, and the ids of their programs and members, by which filtered reads find pages. */
    about: list(text(40), 3 * pageMax),
    waits: Type.Optional(Type.Literal(true)),
    first: Type.Optional(number),
    last: Type.Optional(number),
    /** When it got its numbers. Its retention begins then. */
    numberedAt: Type.Optional(instant()),
  },
  indexes: [
    { keys: { org: 1, place: 1 }, where: { waits: true } },
    { keys: { org: 1, last: 1 }, unique: true, where: { last: { $exists: true } } },
    { keys: { org: 1, about: 1, last: 1 }, where: { last: { $exists: true } } },
  ],
});

export type EventPage = DocOf<typeof eventPageResource>;
