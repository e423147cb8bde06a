import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../../support/givenTime';
import type { StormFault } from './faults';
import type { Load } from './load';
import { report } from './report';
import type { Stage } from './stage';

/** When a storm began, and its random numbers. */
export interface StormTime {
  startedAt: number;
  random(n: number): number;
}

/** docs/design/http.md promises 5 s. The additional time is for a machine that is busy with other tests. */
export const answeredWithinMs = 5000 + 2500;
/** How long it may take until a post succeeds again. */
export const backWithinMs = 10_000;

/** The heads of the columns that {@link strike} reports. */
export function reportHead(): void {
  report('| after | fault | answers | 503 or none | back in |\n|---:|---|---:|---:|---:|');
}

/** Strikes once, and waits until a post succeeds again. @returns how long that took, in milliseconds */
export async function strike(
  stage: Stage,
  fault: StormFault,
  load: Load,
  { startedAt, random }: StormTime,
): Promise<number> {
  const { fleet, probe } = stage;
  const [answered, unanswered] = [load.answered, load.unanswered];
  const at = Math.round((performance.now() - startedAt) / 1000);
  const hit = await fault.strike({ ...stage, random });
  const backMs = stopwatch();
  const [api] = fleet.clients();
  if (!api) throw new RangeError('no API runs');
  const post = () => api.post('/activity', { type: 'Accrual', memberID: probe, value: 0 }).catch(() => undefined);
  while ((await post())?.status !== 200) await sleep(10);
  const back = backMs();
  const meanwhile = `${load.answered - answered} | ${load.unanswered - unanswered}`;
  report(`| ${at} s | ${fault.name}: ${hit} | ${meanwhile} | ${Math.round(back)} ms |`);
  return back;
}

/** A list in a random order. */
export function shuffled<T>(list: readonly T[], random: (n: number) => number): T[] {
  const keyed = list.map((value) => ({ value, key: random(1_000_000) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}
