import { setTimeout as sleep } from 'node:timers/promises';
import type { Line, OracleActivity } from '../oracle/activity';
import { type CancelInput, cancel } from '../oracle/cancel';
import type { OracleMember } from '../oracle/member';
import { type Act, type Outcome, purchase, redemption, transfer } from '../oracle/process';
import { byHand, enrolAndMerge } from './adminActs';
import { oneOf, type Random } from './draw';
import type { MovedFleet } from './fleet';
import { halves } from './rules';
import { purses, type Scene } from './scene';

const dayMs = 86_400_000;

/** When the next activity happened: mostly now, sometimes weeks ago or up to a day ahead. */
function drawDate({ random, now }: Scene): number {
  const kind = random(10);
  if (kind < 2) return now - random(25 * dayMs);
  return kind === 2 ? now + random(23 * 3_600_000) : now;
}

/** What an activity says. */
interface Posted {
  type: string;
  member: OracleMember;
  value: number;
  ext: object;
  lineItems?: object[];
}

/** Posts an activity and takes it in the oracle; both must say the same of it. */
async function post(
  scene: Scene,
  { type, member, value, ext, lineItems = [] }: Posted,
  expected: (act: Act) => Outcome,
): Promise<void> {
  const { program, now, compare } = scene;
  const date = drawDate(scene);
  const lines = lineItems.length > 0 ? { lineItems } : {};
  const body = { type, memberID: member.id, date: new Date(date).toISOString(), value, ext, ...lines };
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

/** A purchase, half of them with lines, whose points go to one purse. */
async function buy(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const purse = oneOf(purses, random);
  const lines = random(2) === 0 ? [] : drawLines(random);
  const value = lines.length > 0 ? lines.reduce((sum, { itemAmount }) => sum + itemAmount, 0) : 2 + random(200);
  const earned = (of: number) => Math.floor((of * halves[purse]) / 2);
  const given = { rule: `earn-${purse}`, purse, earned, limit: program.limits[purse] };
  const sent = lines.map(({ returned: _none, ...line }) => line);
  await post(scene, { type: 'Accrual', member, value, ext: { purse }, lineItems: sent }, (act) => {
    const outcome = purchase(act, [given], program.counters);
    if (outcome.activity) outcome.activity.lines = lines;
    return outcome;
  });
}

function drawLines(random: Random): Line[] {
  return Array.from({ length: 1 + random(3) }, (_unused, n) => ({
    _id: `${n + 1}`,
    itemSKU: `sku-${n}`,
    itemAmount: 2 + random(90),
    quantity: 1 + random(4),
    returned: 0,
  }));
}

async function redeem(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const purse = oneOf(purses, random);
  const value = 1 + random(160);
  await post(scene, { type: 'Redemption', member, value, ext: { purse } }, (act) => redemption(act, purse, value));
}

async function move(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const from = oneOf(purses, random);
  const toPurse = oneOf(
    purses.filter((purse) => purse !== from),
    random,
  );
  const value = 1 + random(80);
  await post(scene, { type: 'Redemption', member, value, ext: { from, toPurse } }, (act) =>
    transfer(act, from, { member, purse: toPurse }),
  );
}

async function give(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const to = oneOf(
    program.members.filter((each) => each !== member),
    random,
  );
  const purse = oneOf(purses, random);
  const value = 1 + random(80);
  const ext = { send: purse, to: to.loyaltyID };
  await post(scene, { type: 'Redemption', member, value, ext }, (act) => transfer(act, purse, { member: to, purse }));
}

/** Cancels a recent activity, or returns a part of it: units of its lines, or a part of its value. */
async function undo(scene: Scene): Promise<void> {
  const { random, program, fleet, now, compare } = scene;
  const recent = program.activities.slice(-40);
  if (recent.length === 0) return;
  const activity = oneOf(recent, random);
  const part = random(2) === 0 ? {} : drawPart(activity, random);
  const lineItems = part.lines?.map(({ line: { _id, itemSKU }, quantity }) => ({ _id, itemSKU, quantity }));
  const sent = { ...(part.value ? { value: part.value } : {}), ...(lineItems ? { lineItems } : {}) };
  const { status, body } = await fleet.client().post(`/activity/${activity.id}/cancel`, sent);
  const code: number | undefined = body.result?.errors[0]?.code;
  const parties = [activity.member, ...activity.transfers.map(({ to }) => to)].map(({ loyaltyID }) => loyaltyID);
  const what = `cancel ${JSON.stringify(sent)} of ${activity.id} ${parties}`;
  compare.acts.push(`${new Date(now).toISOString()} ${what}: ${code ?? 'done'}`);
  compare.equal(`${parties} status of ${what}`, status, 200);
  compare.equal(`${parties} error of ${what}`, code, activity.isCancelled ? 2300 : undefined);
  if (activity.isCancelled) return;
  cancel(activity, { now, ...part, standing: program.activities, counters: program.counters });
}

function drawPart(
  { lines, value, returnedValue }: OracleActivity,
  random: Random,
): Pick<CancelInput, 'value' | 'lines'> {
  const open = lines.filter(({ quantity, returned }) => returned < quantity);
  if (open.length > 0) {
    const line = oneOf(open, random);
    return { lines: [{ line, quantity: 1 + random(line.quantity - line.returned) }] };
  }
  const left = value - returnedValue;
  return left < 2 ? {} : { value: 1 + random(left - 1) };
}

const acts = [buy, buy, buy, buy, redeem, redeem, redeem, undo, undo, move, give];

/** Does one thing, drawn at random. */
export async function act(scene: Scene): Promise<void> {
  const rare = scene.random(40);
  if (rare === 0) return enrolAndMerge(scene);
  if (rare < 4) return byHand(scene);
  await oneOf(acts, scene.random)(scene);
}
