import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#members/reconcile/reconcile';
import { numbers } from '../support/numbers';
import { archives } from './storm/chores/archives';
import { backups } from './storm/chores/backups';
import { type Chore, type Chores, startChores } from './storm/chores/chore';
import { definitions } from './storm/chores/definitions';
import { erasures } from './storm/chores/erasures';
import { imports } from './storm/chores/imports';
import { jobs } from './storm/chores/jobs';
import { merges } from './storm/chores/merges';
import { readers } from './storm/chores/readers';
import { simulations } from './storm/chores/simulations';
import { type StormFault, stormFaults } from './storm/faults';
import { type Load, startLoad } from './storm/load';
import { report } from './storm/report';
import { openStage, type Stage } from './storm/stage';
import { answeredWithinMs, backWithinMs, reportHead, shuffled, strike } from './storm/strike';
import { verify } from './storm/verify';

/**
 * A storm: API and worker processes with wrong clocks, a replica set and a Redis of their own, clients that post, redeem
 * and cancel all the time, chores beside them, and one fault after the other. STORM_MINUTES makes it longer than a few
 * faults, STORM_PAIRS is the number of API processes and of workers, STORM_SEED repeats a storm. STORM_ONLY has words of
 * the names of the only faults and chores, separated by commas.
 */
const minutes = Number(process.env.STORM_MINUTES ?? (process.env.FAULTS === 'full' ? 60 : 0));
const pairs = Number(process.env.STORM_PAIRS ?? 2);
const seed = Number(process.env.STORM_SEED ?? Math.abs(jest.getSeed()) % 1_000_000);
const only = process.env.STORM_ONLY?.split(',');
const faultsMin = only ? 3 : 5;
const isWanted = ({ name }: { name: string }) => only === undefined || only.some((word) => name.includes(word));

/** Reading goes on in each storm; of these the short one has two, by its seed. */
const shortChores = [archives(), backups(), definitions(), erasures(), imports(), jobs(), merges()];
const choresMin = 2;
/** A simulation of a killed worker waits half a minute for another one. */
const longChores = [...shortChores, simulations()];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(pairs);
}, 240_000);
afterAll(() => stage?.close());

/** Takes all faults in a random order, again and again, until the time is over; some at least. */
async function strikeAll(random: (n: number) => number, load: Load): Promise<number> {
  const startedAt = performance.now();
  let slowestBack = 0;
  const isOver = (count: number) => count >= faultsMin && performance.now() - startedAt >= minutes * 60_000;
  let order: StormFault[] = [];
  for (let count = 0; !isOver(count); count += 1) {
    if (order.length === 0) order = shuffled(stormFaults.filter(isWanted), random);
    const [fault] = order.splice(0, 1);
    if (fault) slowestBack = Math.max(slowestBack, await strike(stage, fault, load, { startedAt, random }));
    await sleep(1000);
  }
  return slowestBack;
}

/** Chores that are done meanwhile. */
function chosenChores(random: (n: number) => number): Chore[] {
  if (minutes > 0 || only) return [readers(), ...longChores.filter(isWanted)];
  return [readers(), ...shuffled(shortChores, random).slice(0, choresMin)];
}

interface Storm {
  load: Load;
  chores: Chores;
  slowestBack: number;
}

async function storm(): Promise<Storm> {
  report(`Storm with seed ${seed}, ${pairs} APIs and ${pairs} workers\n`);
  reportHead();
  const random = numbers(seed);
  // Chores draw at moments of their own: with the numbers of the faults, no storm could be repeated.
  const ofChores = numbers(seed + 1);
  const chores = startChores(chosenChores(ofChores), { ...stage, random: ofChores });
  const load = startLoad({ seed, clients: 12, members: stage.members, apis: () => stage.fleet.clients() });
  try {
    return { load, chores, slowestBack: await strikeAll(random, load) };
  } finally {
    await load.end();
    report(`\nMeanwhile: ${await chores.end()}`);
  }
}

test(
  'after a storm of faults each answer holds, nothing is lost or doubled, and every balance is what the answers say',
  async () => {
    const { load, chores, slowestBack } = await storm();
    const { operations, answered, slowestMs, strange } = load;
    report(`\n${operations.length} operations, ${answered} answers, slowest ${Math.round(slowestMs)} ms`);
    expect(strange).toEqual([]);
    await verify(stage, operations);
    expect(await chores.faults()).toEqual([]);
    // Once more, because some chores end what they began.
    expect((await reconcile(stage.world.services, {})).mismatches).toBe(0);
    // At the end, because a machine that does other work can break them without any loss.
    expect(slowestMs).toBeLessThan(answeredWithinMs);
    expect(slowestBack).toBeLessThan(backWithinMs);
  },
  (minutes + 10) * 60_000,
);
