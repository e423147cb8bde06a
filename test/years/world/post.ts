import { setTimeout as sleep } from 'node:timers/promises';
import type { Act, OracleActivity, Outcome } from '../oracle/activity';
import { dayMs } from '../oracle/calendar';
import type { OracleMember } from '../oracle/member';
import type { MovedFleet } from './fleet';
import type { Scene } from './scene';

/** When the next activity happened: mostly now, sometimes weeks ago or up to a day ahead. */
function drawDate({ random, now }: Scene): number {
  const kind = random(10);
  if (kind < 2) return now - random(25 * dayMs);
  return kind === 2 ? now + random(23 * 3_600_000) : now;
}

/** What an activity says. */
export interface Posted {
  type: string;
  member: OracleMember;
  value: number;
  ext: object;
  lineItems?: object[];
  referralCode?: string | undefined;
}

/** Posts an activity and takes it in the oracle; both must say the same of it. */
export async function post(
  scene: Scene,
  { type, member, value, ext, lineItems = [], referralCode }: Posted,
  expected: (act: Act) => Outcome,
): Promise<void> {
  const { program, now, compare } = scene;
  const date = drawDate(scene);
  const more = { ...(lineItems.length > 0 && { lineItems }), ...(referralCode !== undefined && { referralCode }) };
  const body = { type, memberID: member.id, date: new Date(date).toISOString(), value, ext, ...more };
  const { id, error } = await send(scene, body);
  const outcome = expected({ id, member, date, value, now });
  const what = `${type} of ${value} by ${member.loyaltyID} ${JSON.stringify(ext)}`;
  compare.acts.push(`${new Date(now).toISOString()} ${id} ${body.date} ${what}: ${error ?? 'processed'}`);
  compare.equal(`error of ${what}`, error, outcome.error);
  if (outcome.activity && error === undefined) {
    program.activities.push(outcome.activity);
    await nameLots(scene, outcome.activity);
  }
}

async function send({ fleet, random }: Scene, body: object): Promise<{ id: string; error: number | undefined }> {
  if (random(12) > 0) return resultOf(await fleet.client().post('/activity', body));
  const { status, body: queued } = await fleet.client().post('/activity?async=true', body);
  if (status !== 202) throw new Error(JSON.stringify(queued));
  const path = `/activity/status/${queued.externalTxnId}`;
  let answer = await fleet.client().get(path);
  while (answer.body.status === 'Queued') {
    await sleep(5);
    answer = await fleet.client().get(path);
  }
  return resultOf(answer);
}

function resultOf({ status, body }: Awaited<ReturnType<ReturnType<MovedFleet['client']>['post']>>) {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  const { data, errors } = body.result;
  return { id: String(data.activityId), error: errors[0]?.code as number | undefined };
}

/** Learns the ids of new lots: names alone, by which lots that are alike are burned in order. */
async function nameLots({ fleet, program, compare }: Scene, { id, awards, transfers }: OracleActivity): Promise<void> {
  const made = [
    ...awards.map(({ purse, lot, member }) => ({ purse, lot, member })),
    ...transfers.flatMap(({ moves, toPurse, to }) => moves.map(({ lot }) => ({ purse: toPurse, lot, member: to }))),
  ];
  if (made.length === 0) return;
  const { body } = await fleet.client().get(`/accrualitems?activity=${id}&limit=1000`);
  compare.equal(`lots of ${id}`, body.length, made.length);
  const left = [...body];
  for (const { purse, lot, member } of made) {
    const at = left.findIndex(
      (item) =>
        item.purse === program.purseIds.get(purse) &&
        item.member === member.id &&
        item.accruedPoints === lot.accrued &&
        Date.parse(item.dtEarned) === lot.earnedAt &&
        (item.dtExpiresOn === undefined ? undefined : Date.parse(item.dtExpiresOn)) === lot.expiresAt,
    );
    compare.equal(`a lot of ${lot.accrued} ${purse} of ${id} until ${stringOf(lot.expiresAt)}`, at >= 0, true);
    const [item] = at >= 0 ? left.splice(at, 1) : left.splice(0, 1);
    lot.id = item?._id;
  }
}

function stringOf(at: number | undefined): string {
  return at === undefined ? 'ever' : new Date(at).toISOString();
}
