import type { ClientSession, Connection } from 'mongoose';
import type { Author } from '#base/db/records';
import { writeEvents } from '#platform/events/writeEvents';
import type { EventData } from '#records/events/event';
import type { Account } from '#records/members/account';

/** What happened to an account, and the account after the change or, when it was removed, before it. */
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
