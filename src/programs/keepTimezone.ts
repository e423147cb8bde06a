import type { ClientSession, Connection } from 'mongoose';
import { validationError } from '../common/errors';
import { collectionOf } from '../db/collections';
import type { Request } from '../http/route';
import type { Along } from '../orgs/writeRecord';
import { memberResource } from '../records/members/member';
import { type Program, programResource } from '../records/programs/program';

/**
 * What an update of a program that changes its time zone does beside it: it refuses when the program has members, whose
 * sums and limits were counted by the days of the old zone. A first member made at the same time writes the program too
 * (`noteFirstMember`), so one of the two comes first.
 * @returns undefined when the zone stays; else it throws ServiceError 1200, kind `inUse`, in the update's transaction
 */
export function keepTimezone(previous: Program, fields: Partial<Program>, { services }: Request): Along | undefined {
  const { timezone } = fields;
  if (timezone === undefined || timezone === previous.timezone) return undefined;
  return async (session) => {
    if (!(await hasMembers(services.db, session, previous))) return;
    const message = 'cannot change once the program has members';
    throw validationError([{ path: 'timezone', kind: 'inUse', message }]);
  };
}

/** Programs of earlier versions have members without saying so. */
async function hasMembers(db: Connection, session: ClientSession, { _id, org }: Program): Promise<boolean> {
  const options = { session, projection: { _id: 1 } } as const;
  if (await collectionOf(db, programResource).findOne({ _id, org, hasMembers: true }, options)) return true;
  return (await collectionOf(db, memberResource).findOne({ org, program: _id }, options)) !== null;
}
