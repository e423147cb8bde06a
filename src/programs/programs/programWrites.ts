import type { ClientSession, Connection } from 'mongoose';
import { isSameTimezone } from '#base/calendar/timezones';
import { type FieldError, invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { effectiveFaults } from '#base/schema/atoms';
import { escrowFaults, expiryFaults } from '#engine/points/ledger/termsFaults';
import { type CompanionWrite, joinWrites } from '#platform/orgs/writeRecord';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { memberResource } from '#records/members/member';
import { rewardResource } from '#records/offers/reward';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { requireCurrencyKept } from './requireCurrencyKept';

/** The most purse policies of a program. Each member stores a purse for every one of them. */
const policiesMax = 50;

/**
 * Checks rules of a purse policy that the schema cannot express: its escrow and expiry are complete, and its program
 * has fewer policies than the limit. The database checks that the name is unique in the program, and that one policy is primary.
 * @throws ServiceError 1200 naming every field in error
 */
async function preparePolicy(body: Partial<PursePolicy>, context: OrgContext): Promise<Partial<PursePolicy>> {
  const faults = [
    ...escrowFaults(body.escrow),
    ...expiryFaults(body.expiry),
    // Only a creation names the program.
    ...(body.program ? await roomFaults(body.program, context) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

async function roomFaults(program: PursePolicy['program'], { services, principal }: OrgContext): Promise<FieldError[]> {
  const policies = collectionOf(services.db, pursePolicyResource);
  if ((await policies.countDocuments({ org: principal.org, program }, readLocal)) < policiesMax) return [];
  return [{ path: 'program', kind: 'maxItems', ...message('programs.tooManyPolicies', { max: policiesMax }) }];
}

export const programWrites = defineWrites(programResource, {
  prepare: prepareProgram,
  companionOnUpdate: (...change) => joinWrites(requireTimezoneUnchanged(...change), requireCurrencyKept(...change)),
});

export const pursePolicyWrites = defineWrites(pursePolicyResource, {
  prepare: preparePolicy,
  uses: {
    by: ['name'],
    find: ({ program, name }) => [{ in: rewardResource, path: 'cost.purse', where: { program, 'cost.purse': name } }],
  },
});

/**
 * Checks that a program begins before it ends, which the schema cannot express.
 * @throws ServiceError 1200
 */
async function prepareProgram(body: Partial<Program>): Promise<Partial<Program>> {
  const faults = effectiveFaults(body.effective);
  if (faults.length > 0) throw validationError(faults);
  return body;
}

/**
 * Refuses to change the time zone of a program that has members, because their sums and limits follow the days of the
 * old zone. The creation of a first member writes the program too (`recordFirstMember`). So when both happen at once, one
 * comes first and the other sees it.
 * @returns undefined when the zone does not change; otherwise a check that runs in the update's transaction and throws
 *   ServiceError 1200, kind `inUse`
 */
function requireTimezoneUnchanged(
  previous: Program,
  fields: Partial<Program>,
  { services }: OrgContext,
): CompanionWrite | undefined {
  const { timezone } = fields;
  if (timezone === undefined || isSameTimezone(timezone, previous.timezone)) return undefined;
  return async (session) => {
    if (!(await hasMembers(services.db, session, previous))) return;
    throw invalidField('timezone', 'inUse', message('programs.timezoneKept'));
  };
}

/** Programs from earlier versions of the service have members without `hasMembers`. */
async function hasMembers(db: Connection, session: ClientSession, { _id, org }: Program): Promise<boolean> {
  const options = { session, projection: { _id: 1 } } as const;
  if (await collectionOf(db, programResource).findOne({ _id, org, hasMembers: true }, options)) return true;
  return (await collectionOf(db, memberResource).findOne({ org, program: _id }, options)) !== null;
}
