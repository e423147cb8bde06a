import type { components } from 'loyalty-client/generated/api';

/** A member as the API answers it. */
export type Member = components['schemas']['Member'];

/** What a member is called: its name, else its loyalty id. */
export function memberName({ firstName, lastName, loyaltyID }: Partial<Member>): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (loyaltyID ?? '');
}
