import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { readableFields } from '#base/query/fields';
import { isInclusive, parseSelect } from '#base/query/select';
import { ledgerPurses, shownPurse } from '#engine/points/ledger/purses';
import type { RequestWith } from '#platform/http/route';
import type { Reading } from '#platform/recordWrites/recordRules';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import { type Member, memberResource } from '#records/members/member';
import type { PursePolicy } from '#records/programs/pursePolicy';

type Answered = Record<string, unknown>;

interface WithPurses extends Answered {
  _id: ObjectId;
  purses: Member['purses'];
}

/** A request for members. */
export type MembersRequest = RequestWith<{ programCatalogs: ProgramCatalogs }>;

/** A read of members. Its cached policies save a query for each answer. */
export type ReadingMembers = Reading & { services: { programCatalogs: ProgramCatalogs } };

/** Returns the programs of the org and their policies, at least as new as when the user of the request was read. */
export function catalogFor({ services, principal }: ReadingMembers): Promise<ProgramCatalog> {
  return services.programCatalogs.current(principal.org, principal.versions?.definitionsVersion);
}

/** Completes the purses of members in an answer: a purse policy created after the member shows as an empty purse. */
export async function presentMembers(docs: Answered[], reading: ReadingMembers): Promise<Answered[]> {
  const { query, services, principal } = reading;
  if (query.select !== undefined && !hasWholePurses(query.select)) return docs;
  const programs = await findPrograms(services.db, principal.org, docs.filter(hasPurses));
  const catalog = await catalogFor(reading);
  return docs.map((doc) => {
    const program = hasPurses(doc) ? programs.get(doc._id.toHexString()) : undefined;
    if (!program || !hasPurses(doc)) return doc;
    const own = catalog.policiesOf(program);
    const shown = shownPurses({ ...doc, purses: doc.purses.map(withPolicyId) }, own);
    return { ...doc, purses: query.populate?.includes('purses.policyId') ? withPolicies(shown, own) : shown };
  });
}

/** Whole members as {@link presentMembers} shows them, for callers that have no request. */
export function shownMembers(docs: readonly Answered[], catalog: ProgramCatalog): Answered[] {
  return docs.map((doc) => {
    if (!hasPurses(doc) || !(doc.program instanceof ObjectId)) return doc;
    return { ...doc, purses: shownPurses(doc, catalog.policiesOf(doc.program)) };
  });
}

function shownPurses(doc: WithPurses, own: readonly PursePolicy[]) {
  return ledgerPurses(doc, own, ({ createdAt }) => createdAt).map((purse) => shownPurse(purse));
}

/**
 * Tells whether the answer has whole purses. A `select` without purses, or with only some of their fields, has none.
 */
function hasWholePurses(select: string): boolean {
  const projection = parseSelect(select, readableFields(memberResource));
  if (isInclusive(projection)) return projection.purses === 1;
  return !Object.keys(projection).some((path) => path.split('.')[0] === 'purses');
}

type Purse = Member['purses'][number];

/** Replaces a populated policy by its id again. */
function withPolicyId(purse: Omit<Purse, 'policyId'> & { policyId: ObjectId | { _id: ObjectId } }): Purse {
  const { policyId } = purse;
  return { ...purse, policyId: policyId instanceof ObjectId ? policyId : policyId._id };
}

/** Populates the purses with their policies, also with policies created after the member. */
function withPolicies(purses: Pick<Purse, 'policyId'>[], policies: readonly PursePolicy[]) {
  const byId = new Map(policies.map((policy) => [policy._id.toHexString(), policy]));
  return purses.map((purse) => ({ ...purse, policyId: byId.get(purse.policyId.toHexString()) ?? purse.policyId }));
}

function hasPurses(doc: Answered): doc is WithPurses {
  return doc._id instanceof ObjectId && Array.isArray(doc.purses);
}

/**
 * The program of each member by hexadecimal member id. It is read from the database when `select` or `populate` changed
 * it in the answer.
 */
async function findPrograms(db: Connection, org: ObjectId, docs: WithPurses[]): Promise<Map<string, ObjectId>> {
  const isKnown = docs.every(({ program }) => program instanceof ObjectId);
  const members: Answered[] = isKnown
    ? docs
    : await collectionOf(db, memberResource)
        .find({ org, _id: { $in: docs.map(({ _id }) => _id) } })
        .project({ program: 1 })
        .toArray();
  return new Map(
    members.flatMap(({ _id, program }) => (program instanceof ObjectId ? [[String(_id), program] as const] : [])),
  );
}
