import { accountOf, unlink } from '../oracle/account';
import { oneOf } from './draw';
import type { Scene } from './scene';

/** Joins two or three members of all programs in an account, which is refused when one of them is in one already. */
export async function joinAccount({ random, programs, fleet, accounts, compare, now }: Scene): Promise<void> {
  const drawn = Array.from({ length: 2 + random(2) }, () => {
    const { id: program, members } = oneOf(programs, random);
    return { program, member: oneOf(members, random) };
  });
  const entries = drawn.filter(({ member }, at) => drawn.findIndex((each) => each.member === member) === at);
  const members = entries.map(({ member }) => member);
  const active = random(2) === 0 ? undefined : oneOf(members, random);
  const isRefused = members.some((member) => accountOf(accounts, member));
  const names = members.map(({ loyaltyID }) => loyaltyID).join(' ');
  const { status, body } = await fleet.client().post('/accounts', {
    members: entries.map(({ program, member }) => ({ program, member: member.id })),
    ...(active && { activeMember: active.id }),
  });
  compare.acts.push(`${new Date(now).toISOString()} account of ${names}: ${status}`);
  compare.equal(`${names} status of an account`, status, isRefused ? 422 : 201);
  const [first] = members;
  if (status === 201 && first) accounts.push({ id: body._id, members, active: active ?? first });
}

/** Takes a member out of its account. */
export async function leaveAccount({ random, program, fleet, accounts, compare, now }: Scene): Promise<void> {
  const joined = program.members.filter((each) => accountOf(accounts, each));
  const member = oneOf(joined.length > 0 && random(5) > 0 ? joined : program.members, random);
  const query = encodeURIComponent(JSON.stringify({ 'members.member': member.id }));
  const { status } = await fleet.client().post(`/accounts/unlink?query=${query}`, {});
  compare.acts.push(`${new Date(now).toISOString()} unlink of ${member.loyaltyID}: ${status}`);
  compare.equal(`${member.loyaltyID} status of unlink`, status, accountOf(accounts, member) ? 200 : 404);
  unlink(accounts, member);
}

/** Gives a member a head of its family, or another one. */
export async function chooseHead({ random, program, fleet, compare, now }: Scene): Promise<void> {
  const member = oneOf(program.members, random);
  const head = oneOf(
    program.members.filter((each) => each !== member),
    random,
  );
  const { status } = await fleet.client().patch(`/members/${member.id}`, { familyHead: head.id });
  compare.acts.push(`${new Date(now).toISOString()} ${head.loyaltyID} becomes head of ${member.loyaltyID}: ${status}`);
  compare.equal(`${member.loyaltyID} status of a head`, status, 200);
  member.head = head;
}
