import { Type } from '@sinclair/typebox';
import { instant, oneOf, record } from '#base/schema/atoms';
import { type Member, memberResource } from '#records/members/member';

/** The statuses that a client may set. Only a merge sets `Merged`, and only an erasure sets `Erased`. */
const clientStatuses = ['Active', 'Inactive', 'Suspended'] as const;

/** The body of `POST /members`. */
export const memberCreateBody = record({
  ...memberResource.createBody.properties,
  status: Type.Optional(oneOf(clientStatuses, { default: 'Active' })),
});

/** The body of `PUT` and `PATCH /members/{id}`: profile fields and status. */
export const memberUpdateBody = record({
  ...memberResource.updateBody.properties,
  status: Type.Optional(oneOf(clientStatuses, { 'x-default': 'Active' })),
  enrolledAt: Type.Optional(instant({ description: 'null: when the record was created' })),
});

type ProfileField =
  | 'type'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'birthDate'
  | 'address'
  | 'locale'
  | 'enrolledAt'
  | 'enrollChannel'
  | 'referredBy'
  | 'familyHead'
  | 'segments'
  | 'ext';

/** The fields that an update of a member may change. */
export type MemberChange = Partial<Pick<Member, ProfileField> & { status: (typeof clientStatuses)[number] }>;

/** The fields of a new member. Only the program is required. */
export type NewMember = Pick<Member, 'program'> & Partial<Pick<Member, 'loyaltyID'>> & MemberChange;
