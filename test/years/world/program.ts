import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OracleActivity } from '../oracle/activity';
import type { Limit, Use } from '../oracle/limits';
import { newMember, type OracleMember } from '../oracle/member';
import type { Referring } from '../oracle/process';
import { notePending, type OracleReferral } from '../oracle/referral';
import type { PursePolicy } from '../oracle/terms';
import type { TierPolicy } from '../oracle/tiers';
import { drawBudgets, drawLimits, drawPolicies, drawTierPolicies, oneOf, type Random } from './draw';
import type { MovedFleet } from './fleet';
import { type PerPurse, rulesOf, type Share } from './rules';

/** A program of the world, and what the oracle knows of it. */
export interface WorldProgram {
  id: string;
  code: string;
  zone: string;
  policies: PursePolicy[];
  tierPolicies: TierPolicy[];
  limits: PerPurse<Limit>;
  /** How many points the rule of a purse may give in its whole life. */
  budgets: PerPurse<number>;
  share: Share;
  uses: Use[];
  /** The ids of the purse policies by name. */
  purseIds: Map<string, string>;
  /** The ids of the tier policies by name. */
  tierIds: Map<string, string>;
  members: OracleMember[];
  referrals: OracleReferral[];
  referring: Referring;
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
    const budgets = drawBudgets(random);
    const referring = { purse: oneOf(policies, random).name, points: 30 + random(40), referrerPoints: 50 + random(40) };
    const share = { purse: oneOf(policies, random).name, percent: oneOf([10, 25, 33], random) };
    const id = await create(fleet, '/programs', { code: `p${n}`, name: zone, timezone: zone });
    const purseIds = new Map<string, string>();
    for (const policy of policies) {
      purseIds.set(policy.name, await create(fleet, '/pursepolicies', { ...policy, program: id }));
    }
    const tierIds = new Map<string, string>();
    for (const policy of tierPolicies) {
      tierIds.set(policy.name, await create(fleet, '/tierpolicies', { ...policy, program: id }));
    }
    const folder = path.join(fleet.rulesDir, `p${n}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'rules.json'),
      JSON.stringify(rulesOf(policies, { tiers: tierPolicies, limits, budgets, share, referring })),
    );
    programs.push({
      id,
      code: `p${n}`,
      enrolled: 0,
      zone,
      policies,
      tierPolicies,
      limits,
      budgets,
      share,
      tierIds,
      uses: [],
      purseIds,
      members: [],
      referrals: [],
      referring,
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

/** Makes a member who enrols now, perhaps because another one referred it. */
export async function enrol(
  fleet: MovedFleet,
  program: WorldProgram,
  now: number,
  referredBy?: OracleMember,
): Promise<void> {
  program.enrolled += 1;
  const loyaltyID = `${program.code}-${program.enrolled}`;
  const referred = referredBy && { referredBy: referredBy.id };
  const id = await create(fleet, '/members', { program: program.id, loyaltyID, ...referred });
  const policies = { purses: program.policies, tiers: program.tierPolicies };
  const member = newMember({ id, loyaltyID, zone: program.zone }, policies, now);
  program.members.push(member);
  if (referredBy) notePending(program.referrals, referredBy, member);
}

async function create({ admin }: MovedFleet, route: string, body: object): Promise<string> {
  const answer = await admin.post(route, body);
  if (answer.status !== 201) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
  return answer.body._id;
}
