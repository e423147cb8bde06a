import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { byName, count, instantOrDay, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { nameMax } from '#base/schema/textFaults';
import { memberResource } from '#records/members/member';

const optional = (schema: TSchema) => Type.Optional(schema);

const names = [
  'program',
  'loyaltyID',
  'loyaltyIDs',
  'type',
  'firstName',
  'lastName',
  'email',
  'phone',
  'birthDate',
  'address',
  'locale',
  'enrollChannel',
  'referralCode',
  'referredBy',
  'familyHead',
  'ext',
];

const stored: TProperties = memberResource.shape.properties;

/** The fields of the member of a scenario that are stored as written. */
export const scenarioProfileShape = record({
  ...Object.fromEntries(names.flatMap((name) => (stored[name] ? [[name, optional(stored[name])]] : []))),
  status: Type.Optional(oneOf(['Active', 'Inactive', 'Suspended'])),
});

/** Names of the fields of {@link scenarioProfileShape}. */
export const scenarioProfileNames: readonly string[] = Object.keys(scenarioProfileShape.properties);

const dates = () => Type.Optional(byName(instantOrDay(), nameMax));

/** What a test with steps may set for its member: stored fields, and its past. Names of any program are accepted. */
export const scenarioMemberShape = record({
  ...scenarioProfileShape.properties,
  _id: Type.Optional(objectId()),
  enrolledAt: Type.Optional(instantOrDay()),
  segments: Type.Optional(list(text(200), 200)),
  segmentSince: dates(),
  tier: Type.Optional(byName(text(100), nameMax)),
  tierSince: dates(),
  purse: Type.Optional(byName(count(), nameMax)),
  bucket: Type.Optional(count({ maximum: 99 })),
  processedAccruals: Type.Optional(count()),
  lastVisit: Type.Optional(instantOrDay()),
});
