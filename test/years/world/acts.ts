import type { Line, OracleActivity } from '../oracle/activity';
import { type CancelInput, cancel } from '../oracle/cancel';
import { purchase, redemption, transfer } from '../oracle/process';
import { chooseHead, joinAccount, leaveAccount } from './accountActs';
import { byHand, enrolAndMerge } from './adminActs';
import { oneOf, type Random } from './draw';
import { setTier } from './levelActs';
import { post } from './post';
import { nameReferrer } from './referralActs';
import { halves } from './rules';
import { purses, type Scene } from './scene';

/** A purchase, half of them with lines, whose points go to one purse. */
async function buy(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const purse = oneOf(purses, random);
  const lines = random(2) === 0 ? [] : drawLines(random);
  const value = lines.length > 0 ? lines.reduce((sum, { itemAmount }) => sum + itemAmount, 0) : 2 + random(200);
  const earned = (of: number) => Math.floor((of * halves[purse]) / 2);
  const { limits, budgets, share } = program;
  const rule = { rule: `earn-${purse}`, limit: limits[purse], budget: budgets[purse] };
  const given = { ...rule, purse, earned, share: share.purse === purse ? share.percent : undefined };
  const sent = lines.map(({ returned: _none, ...line }) => line);
  await post(scene, { type: 'Accrual', member, value, ext: { purse }, lineItems: sent }, (act) => {
    const outcome = purchase(act, [given], program.uses);
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
  cancel(activity, { now, ...part, standing: program.activities, referrals: program.referrals });
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
  if (rare < 8)
    return oneOf(
      [setTier, setTier, nameReferrer, nameReferrer, joinAccount, leaveAccount, chooseHead],
      scene.random,
    )(scene);
  await oneOf(acts, scene.random)(scene);
}
