import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OracleActivity } from '../oracle/activity';
import type { Counters, Limit } from '../oracle/limits';
import { newMember, type OracleMember } from '../oracle/member';
import type { PursePolicy } from '../oracle/terms';
import type { TierPolicy } from '../oracle/tiers';
import { drawLimits, drawPolicies, drawTierPolicies, type Random } from './draw';
import type { MovedFleet } from './fleet';
import { rulesOf } from './rules';

/** A program of the world, and what the oracle knows of it. */
export interface WorldProgram {
  id: string;
  code: string;
  zone: string;
  policies: PursePolicy[];
  tierPolicies: TierPolicy[];
  limits: Partial<Record<string, Limit>>;
  counters: Counters;
  /** The ids of the purse policies by name. */
  purseIds: Map<string, string>;
  members: OracleMember[];
  /** How many members it ever had. */
  enrolled: number;
  activities: OracleActivity[];
}

/** Makes the programs, with their rules and members. */
export async function makePrograms(
  fleet: MovedFleet,
  zones: readonly string[],
  { members, now }: { members: number; now: number },
  random: Random,
): Promise<WorldProgram[]> {
  const programs: WorldProgram[] = [];
  for (const [n, zone] of zones.entries()) {
    const policies = drawPolicies(random);
    const tierPolicies = drawTierPolicies(random);
    const limits = drawLimits(random);
    const id = await create(fleet, '/programs', { code: `p${n}`, name: zone, timezone: zone });
    const purseIds = new Map<string, string>();
    for (const policy of policies) {
      purseIds.set(policy.name, await create(fleet, '/pursepolicies', { ...policy, program: id }));
    }
    for (const policy of tierPolicies) await create(fleet, '/tierpolicies', { ...policy, program: id });
    const folder = path.join(fleet.rulesDir, `p${n}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'rules.json'), JSON.stringify(rulesOf(policies, limits)));
    programs.push({
      id,
      code: `p${n}`,
      enrolled: 0,
      zone,
      policies,
      tierPolicies,
      limits,
      counters: new Map(),
      purseIds,
      members: [],
      activities: [],
    });
  }
  const { status, body } = await fleet.admin.post('/refreshcache?entity=Rule');
  if (status !== 200) throw new Error(`rules are refused: ${JSON.stringify(body)}`);
  for (const program of programs) {
    for (let n = 0; n < members; n += 1) {
      await enrol(fleet, program, now);
    }
  }
  return programs;
}

/** Makes a member who enrols now. */
export async function enrol(fleet: MovedFleet, program: WorldProgram, now: number): Promise<void> {
  program.enrolled += 1;
  const loyaltyID = `${program.code}-${program.enrolled}`;
  const id = await create(fleet, '/members', { program: program.id, loyaltyID });
  const policies = { purses: program.policies, tiers: program.tierPolicies };
  program.members.push(newMember({ id, loyaltyID, zone: program.zone }, policies, now));
}

async function create({ admin }: MovedFleet, route: string, body: object): Promise<string> {
  const answer = await admin.post(route, body);
  if (answer.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
  return answer.body._id;
}
