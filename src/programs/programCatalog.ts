import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import { type Program, programResource } from './program';
import { type PursePolicy, pursePolicyResource } from './pursePolicy';

/** The programs of an org and the purse policies of each. */
export interface ProgramCatalog {
  programOf(id: ObjectId): Program | undefined;
  policiesOf(programId: ObjectId): readonly PursePolicy[];
}

/** Reads the programs of an org and their purse policies. */
export async function loadProgramCatalog(db: Connection, org: ObjectId): Promise<ProgramCatalog> {
  const [programs, policies] = await Promise.all([
    collectionOf(db, programResource).find({ org }).toArray(),
    collectionOf(db, pursePolicyResource).find({ org }).sort({ _id: 1 }).toArray(),
  ]);
  return catalogOf(programs, policies);
}

function catalogOf(programs: readonly Program[], policies: readonly PursePolicy[]): ProgramCatalog {
  const programById = new Map(programs.map((program) => [program._id.toHexString(), program]));
  const policiesByProgram = new Map<string, PursePolicy[]>();
  for (const policy of policies) {
    const id = policy.program.toHexString();
    policiesByProgram.set(id, [...(policiesByProgram.get(id) ?? []), policy]);
  }
  return {
    programOf: (id) => programById.get(id.toHexString()),
    policiesOf: (id) => policiesByProgram.get(id.toHexString()) ?? [],
  };
}
