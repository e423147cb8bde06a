import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Response } from '../../../support/client';
import type { World } from '../../../support/world';
import type { StormFleet, StormRole } from '../fleet';

/** What chores work with. */
export interface ChoreInput {
  world: World;
  /** The world of another org, whose activities are archived. */
  archived: World;
  fleet: StormFleet;
  /** Members that post activities meanwhile. */
  members: readonly string[];
  random(n: number): number;
  /**
   * Asks the APIs in turn until one answers something else than 503, or that an earlier request is in flight. What it
   * asks must be safe to repeat.
   * @throws Error when there is another status than these
   */
  insist(role: StormRole, statuses: readonly number[], ask: (api: Client) => Promise<Response>): Promise<Response>;
}

/** Something that goes on during a storm, beside the posts of clients. */
export interface Chore {
  name: string;
  /**
   * Does it once, however often it must be repeated.
   * @throws Error when an answer breaks the contract
   */
  run(input: ChoreInput, n: number): Promise<void>;
  /** Compares with what there is after the storm. @returns a sentence for each difference */
  faults(input: ChoreInput): Promise<string[]>;
}

/** Chores that run. */
export interface Chores {
  /** Ends when each has ended what it had begun. @returns how often each was done */
  end(): Promise<string>;
  /** A sentence for each answer that broke the contract, and each difference afterwards. */
  faults(): Promise<string[]>;
}

/** Does each of these chores again and again. */
export function startChores(chores: readonly Chore[], made: Omit<ChoreInput, 'insist'>): Chores {
  const input: ChoreInput = { ...made, insist: insistOn(made.fleet) };
  const faults: string[] = [];
  let isEnding = false;
  const loops = chores.map(async (chore) => {
    let done = 0;
    while (!isEnding) {
      await chore.run(input, done).catch((error: unknown) => faults.push(`${chore.name}: ${error}`));
      done += 1;
      await sleep(50);
    }
    return `${chore.name} ${done} times`;
  });
  return {
    async end() {
      isEnding = true;
      return (await Promise.all(loops)).join(', ');
    },
    async faults() {
      const after = await Promise.all(chores.map((chore) => chore.faults(input)));
      return [...faults, ...after.flat()];
    },
  };
}

/** The code of docs/design/errors.md: the first request of a key is in flight, or its process has ended. */
const inFlight = 1270;

function insistOn(fleet: StormFleet): ChoreInput['insist'] {
  return async (role, statuses, ask) => {
    for (let n = 0; ; n += 1) {
      const apis = fleet.clients(role);
      const api = apis[n % apis.length];
      const answer = api && (await ask(api).catch(() => undefined));
      if (answer && answer.status !== 503 && answer.body?.code !== inFlight) {
        if (statuses.includes(answer.status)) return answer;
        throw new Error(`${answer.request} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await sleep(50);
    }
  };
}
