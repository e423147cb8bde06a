import type { ClientSession, Connection } from 'mongoose';
import type { Author } from '#base/db/records';
import { writeEvents } from '#platform/events/writeEvents';
import type { EventData } from '#records/events/event';
import type { Account } from '#records/members/account';

/** The account after a change, or before it was removed, and what happened to it. */
export type AccountChange = Pick<Account, '_id' | 'members'> & Pick<EventData<'account.changed'>, 'change'>;

/** Stores the event of a change of an account in the transaction of the change. */
export function writeAccountEvent(
  db: Connection,
  session: ClientSession,
  author: Author,
  { _id: account, members, change }: AccountChange,
  now: Date,
): Promise<void> {
  const data = { account, change, members: members.map(({ member }) => member) };
  return writeEvents(db, session, author, now, [{ type: 'account.changed', data }]);
}
