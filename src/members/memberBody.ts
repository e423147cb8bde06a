import { Type } from '@sinclair/typebox';
import { type Member, memberResource } from '../records/members/member';
import { oneOf, record } from '../schema/atoms';

/** The statuses a client may give; `Merged` and `Erased` come from merge and erase only. */
const clientStatuses = ['Active', 'Inactive', 'Suspended'] as const;

/** The body of `POST /members`. */
export const memberCreateBody = record({
  ...memberResource.createBody.properties,
  status: Type.Optional(oneOf(clientStatuses, { default: 'Active' })),
});

/** The body of `PUT` and `PATCH /members/{id}`: profile fields and status. */
export const memberUpdateBody = record({
  ...memberResource.updateBody.properties,
  status: Type.Optional(oneOf(clientStatuses)),
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
  | 'segments'
  | 'ext';

/** What an update of a member may change. */
export type MemberChange = Partial<Pick<Member, ProfileField> & { status: (typeof clientStatuses)[number] }>;

/** What makes a member: its program, and whatever is known of the person. */
export type NewMember = Pick<Member, 'program'> & Partial<Pick<Member, 'loyaltyID'>> & MemberChange;
