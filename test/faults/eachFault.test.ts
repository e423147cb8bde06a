import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '../support/numbers';
import { startChores } from './storm/chores/chore';
import { readers } from './storm/chores/readers';
import { stormFaults } from './storm/faults';
import { startLoad } from './storm/load';
import type { Operation } from './storm/operations';
import { report } from './storm/report';
import { openStage, type Stage } from './storm/stage';
import { answeredWithinMs, backWithinMs, reportHead, shuffled, strike } from './storm/strike';
import { verify } from './storm/verify';

/**
 * Each fault of the storm alone, and all that is stored compared after it. The full form takes all faults in their
 * order, the short one a fault by its seed.
 */
const seed = Number(process.env.STORM_SEED ?? Math.abs(jest.getSeed()) % 1_000_000);
const chosen = process.env.FAULTS === 'full' ? stormFaults : shuffled(stormFaults, numbers(seed)).slice(0, 1);

let stage: Stage;
/** All operations of all faults so far. */
const operations: Operation[] = [];
const startedAt = performance.now();
beforeAll(async () => {
  stage = await openStage(2);
  report(`\nEach fault alone, with seed ${seed}\n`);
  reportHead();
}, 240_000);
afterAll(() => stage?.close());

test.each(chosen.map((fault, n) => ({ ...fault, n })))(
  'while nothing else happens than that $name, each answer holds and every sum is what the answers say',
  async ({ n, ...fault }) => {
    const random = numbers(seed + n);
    const { members, fleet } = stage;
    const chores = startChores([readers()], { ...stage, random: numbers(seed - n) });
    const load = startLoad({ seed: seed + n, round: `${n}-`, clients: 12, members, apis: () => fleet.clients() });
    await sleep(1000);
    const back = await strike(stage, fault, load, { startedAt, random });
    await sleep(1000);
    await load.end();
    await chores.end();
    operations.push(...load.operations);
    expect(load.strange).toEqual([]);
    await verify(stage, operations, load.operations);
    expect(await chores.faults()).toEqual([]);
    expect(load.slowestMs).toBeLessThan(answeredWithinMs);
    expect(back).toBeLessThan(backWithinMs);
  },
  300_000,
);
