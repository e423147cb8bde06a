import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { type NamedList, namedListResource } from '#records/catalog/namedList';
import { type Segment, segmentResource } from '#records/catalog/segment';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';

/** The programs of an org with their purse policies and tier policies, and the segments and named lists of the org. */
export interface ProgramCatalog {
  programOf(id: ObjectId): Program | undefined;
  policiesOf(programId: ObjectId): readonly PursePolicy[];
  /** All segments of the org. They are read at the first call. */
  segments(): Promise<readonly Segment[]>;
  /** The named lists with these names or hexadecimal ids. Each is read at the first call that names it. */
  namedLists(wanted: { names: ReadonlySet<string>; ids: ReadonlySet<string> }): Promise<NamedList[]>;
  tierPoliciesOf(programId: ObjectId): readonly TierPolicy[];
}

/** Reads the programs of an org and their policies. Segments and named lists are read when they are needed. */
export async function loadProgramCatalog(db: Connection, org: ObjectId): Promise<ProgramCatalog> {
  const [programs, policies, tierPolicies] = await Promise.all([
    collectionOf(db, programResource).find({ org }).toArray(),
    collectionOf(db, pursePolicyResource).find({ org }).sort({ _id: 1 }).toArray(),
    collectionOf(db, tierPolicyResource).find({ org }).sort({ _id: 1 }).toArray(),
  ]);
  return {
    ...buildCatalog(programs, byProgram(policies), byProgram(tierPolicies)),
    namedLists: rememberedLists(db, org),
    segments: rememberedSegments(db, org),
  };
}

function rememberedSegments(db: Connection, org: ObjectId): ProgramCatalog['segments'] {
  let kept: Promise<Segment[]> | undefined;
  return () => {
    kept ??= collectionOf(db, segmentResource).find({ org }).sort({ name: 1 }).toArray();
    kept.catch(() => {
      kept = undefined;
    });
    return kept;
  };
}

/** Caches the lists as long as the catalog exists: every write of a definition makes a new catalog. */
function rememberedLists(db: Connection, org: ObjectId): ProgramCatalog['namedLists'] {
  const kept = new Map<string, Promise<NamedList | null>>();
  const read = (key: string, filter: Record<string, unknown>) => {
    const known = kept.get(key);
    if (known) return known;
    const reading = collectionOf(db, namedListResource).findOne({ org, ...filter });
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
  return async ({ names, ids }) => {
    const found = await Promise.all([
      ...[...names].map((name) => read(`name ${name}`, { name })),
      ...[...ids].map((id) => read(`id ${id}`, { _id: new ObjectId(id) })),
    ]);
    return found.filter((list) => list !== null);
  };
}

function buildCatalog(
  programs: readonly Program[],
  policies: ReadonlyMap<string, PursePolicy[]>,
  tierPolicies: ReadonlyMap<string, TierPolicy[]>,
): Omit<ProgramCatalog, 'namedLists' | 'segments'> {
  const programById = new Map(programs.map((program) => [program._id.toHexString(), program]));
  return {
    programOf: (id) => programById.get(id.toHexString()),
    policiesOf: (id) => policies.get(id.toHexString()) ?? [],
    tierPoliciesOf: (id) => tierPolicies.get(id.toHexString()) ?? [],
  };
}

function byProgram<T extends { program: ObjectId }>(policies: readonly T[]): Map<string, T[]> {
  return groupBy(policies, ({ program }) => program.toHexString());
}
