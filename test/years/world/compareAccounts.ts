import { accountOf, highest, type OracleAccount, totalPoints } from '../oracle/account';
import { purseOf } from '../oracle/member';
import type { Compared } from './compare';
import type { WorldProgram } from './program';

type World = Pick<Compared, 'fleet' | 'compare'> & {
  programs: readonly WorldProgram[];
  accounts: readonly OracleAccount[];
};

/** Compares all accounts: who is in them, the points of each purse and the best of each tier of all programs. */
export async function compareAccounts({ fleet, compare, programs, accounts }: World): Promise<void> {
  for (const account of accounts) {
    const names = account.members.map(({ loyaltyID }) => loyaltyID).join(' ');
    const { body } = await fleet.client().get(`/accounts/${account.id}`);
    const shown = body.members?.map(({ member }: { member: string }) => member).join(' ');
    compare.equal(`${names} account`, shown, account.members.map(({ id }) => id).join(' '));
    compare.equal(`${names} activeMember`, body.activeMember, account.active.id);
    for (const program of programs) await compareTotals({ fleet, compare }, program, { account, names });
  }
  for (const { members } of programs) {
    for (const member of members) {
      const { status, body } = await fleet.client().get(`/accounts/member/${member.id}`);
      const account = accountOf(accounts, member);
      compare.equal(`${member.loyaltyID} status of its account`, status, account ? 200 : 404);
      compare.equal(`${member.loyaltyID} account`, body._id, account?.id);
    }
  }
}

async function compareTotals(
  { fleet, compare }: Pick<World, 'fleet' | 'compare'>,
  { members, purseIds, tierIds }: WorldProgram,
  { account, names }: { account: OracleAccount; names: string },
): Promise<void> {
  const own = account.members.filter((member) => members.includes(member));
  for (const [name, id] of purseIds) {
    const { body } = await fleet.client().get(`/accounts/totalpoints/${account.id}/${id}`);
    const total = totalPoints(own.map((member) => purseOf(member, name)));
    compare.equal(`${names} totalpoints ${name}`, body.points, total);
  }
  for (const [name, id] of tierIds) {
    const { body } = await fleet.client().get(`/accounts/maxtier/${account.id}/${id}`);
    const tiers = own.flatMap((member) => member.tiers.filter(({ policy }) => policy.name === name));
    const best = highest(tiers);
    const at = (text: string | undefined) => (text ? Date.parse(text) : undefined);
    compare.equal(`${names} maxtier ${name}`, body.tier?.level.name, best && tiers[0]?.policy.levels[best.level]?.name);
    compare.equal(`${names} maxtier ${name} since`, at(body.tier?.since), best?.since);
    compare.equal(`${names} maxtier ${name} expiresOn`, at(body.tier?.expiresOn), best?.expiresAt);
  }
}
