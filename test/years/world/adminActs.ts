import { inherit } from '../oracle/account';
import { addLot, removeLot, setAvailable } from '../oracle/byHand';
import { purseOf, settle } from '../oracle/member';
import { merge } from '../oracle/merge';
import { oneOf } from './draw';
import { enrol } from './program';
import { purses, type Scene } from './scene';

const dayMs = 86_400_000;

/** Adds, changes or removes a lot by hand. */
export async function byHand(scene: Scene): Promise<void> {
  const { random, program, fleet, now, compare } = scene;
  const member = oneOf(program.members, random);
  const name = oneOf(purses, random);
  // Settles the member, so that what is changed by hand is as the admin sees it.
  await fleet.client().get(`/members/${member.id}/purses`);
  settle(member, now);
  const lots = purseOf(member, name).lots.filter(({ available, escrow }) => available > 0 && escrow === 0);
  const kind = random(3);
  const note = (text: string) =>
    compare.acts.push(`${new Date(now).toISOString()} ${text} ${name} of ${member.loyaltyID}`);
  if (kind === 0 || lots.length === 0) {
    const points = 1 + random(90);
    const earnedAt = now - random(5 * dayMs);
    const expiresAt = random(2) === 0 ? now + 40 * dayMs + random(90 * dayMs) : undefined;
    const dates = expiresAt === undefined ? {} : { dtExpiresOn: new Date(expiresAt).toISOString() };
    const body = { member: member.id, purse: program.purseIds.get(name), accruedPoints: points, ...dates };
    const { status, body: made } = await fleet
      .client()
      .post('/accrualitems', { ...body, dtEarned: new Date(earnedAt).toISOString() });
    note(`adds ${points} by hand to`);
    compare.equal(`status of a lot by hand for ${member.loyaltyID}`, status, 201);
    addLot(member, name, { points, earnedAt, ...(expiresAt === undefined ? {} : { expiresAt }) }, now).id = made._id;
    return;
  }
  const lot = oneOf(lots, random);
  const route = `/accrualitems/${lot.id}`;
  if (kind === 1) {
    const points = random(2 * lot.available);
    note(`sets ${lot.id} from ${lot.available} to ${points} in`);
    const { status } = await fleet.client().put(route, { availablePoints: points });
    compare.equal(`status of a change by hand for ${member.loyaltyID}`, status, 200);
    setAvailable(member, name, lot, points, now);
  } else {
    note(`removes ${lot.id} by hand in`);
    const { status } = await fleet.client().delete(route);
    compare.equal(`status of a removal by hand for ${member.loyaltyID}`, status, 204);
    removeLot(member, name, lot, now);
  }
}

/** Merges a member into another one; a new one takes its place. */
export async function enrolAndMerge({ random, program, fleet, now, compare, accounts }: Scene): Promise<void> {
  const merged = oneOf(program.members, random);
  const survivor = oneOf(
    program.members.filter((each) => each !== merged),
    random,
  );
  compare.acts.push(`${new Date(now).toISOString()} merge of ${merged.loyaltyID} into ${survivor.loyaltyID}`);
  const { status } = await fleet.client().post(`/members/${survivor.id}/merge`, { memberIds: [merged.id] });
  compare.equal(`status of the merge into ${survivor.loyaltyID}`, status, 200);
  merge(survivor, merged, {
    now,
    activities: program.activities,
    others: program.members,
    referrals: program.referrals,
  });
  inherit(accounts, survivor, merged);
  program.members.splice(program.members.indexOf(merged), 1);
  const run = await fleet.client().post('/jobs/members/run');
  compare.equal('error of the job members', run.body.error ?? undefined, undefined);
  await enrol(fleet, program, now, random(2) === 0 ? oneOf(program.members, random) : undefined);
}
