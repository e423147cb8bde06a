import { available, type Purse } from './ledger';
import type { OracleMember } from './member';
import { type Held, held, type Tier } from './tiers';

/** An account: members of several programs that are one person. */
export interface OracleAccount {
  id: string;
  members: OracleMember[];
  active: OracleMember;
}

/** The account that a member is in. */
export function accountOf(accounts: readonly OracleAccount[], member: OracleMember): OracleAccount | undefined {
  return accounts.find(({ members }) => members.includes(member));
}

/** Takes a member out of its account. One of one or two members is gone then; else the first one left may become active. */
export function unlink(accounts: OracleAccount[], member: OracleMember): void {
  const account = accountOf(accounts, member);
  if (!account) return;
  const left = account.members.filter((each) => each !== member);
  const [first] = left;
  if (left.length < 2 || !first) {
    accounts.splice(accounts.indexOf(account), 1);
    return;
  }
  account.members = left;
  if (account.active === member) account.active = first;
}

/** The survivor of a merge gets the place of the merged member, or keeps its own. */
export function inherit(accounts: OracleAccount[], survivor: OracleMember, merged: OracleMember): void {
  const account = accountOf(accounts, merged);
  if (!account) return;
  const own = accountOf(accounts, survivor);
  if (own && own !== account) {
    unlink(accounts, merged);
    return;
  }
  account.members = own
    ? account.members.filter((each) => each !== merged)
    : account.members.map((each) => (each === merged ? survivor : each));
  if (account.active === merged) account.active = survivor;
}

/** What the members of an account can spend of a purse; negative when they owe more. */
export function totalPoints(purses: readonly Purse[]): number {
  return purses.reduce((sum, purse) => sum + available(purse) - purse.debt, 0);
}

/** The tier with the highest level; of several with this level the first. */
export function highest(tiers: readonly Tier[]): Held | undefined {
  return tiers.map(held).reduce<Held | undefined>((best, each) => {
    return (each?.level ?? -1) > (best?.level ?? -1) ? each : best;
  }, undefined);
}
