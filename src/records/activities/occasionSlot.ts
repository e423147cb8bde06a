import { Type } from '@sinclair/typebox';
import { instant, objectId, oneOf, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { timedOccasionTypes } from './occasion';

/** How far the occasions of one schedule of a program are posted. Internal; the job `occasions` writes it. */
export const occasionSlotResource = defineResource({
  name: 'OccasionSlot',
  path: 'occasionslots',
  isInternal: true,
  fields: {
    program: objectId('Program'),
    type: oneOf(timedOccasionTypes),
    schedule: text(300),
    /** All occasions that were due up to this instant are posted. */
    doneUntil: instant(),
    /** The due time whose occasions are being posted, and the last member that was processed. */
    due: Type.Optional(instant()),
    after: Type.Optional(objectId()),
  },
  indexes: [{ keys: { org: 1 } }],
});

export type OccasionSlot = DocOf<typeof occasionSlotResource>;
