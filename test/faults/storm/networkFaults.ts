import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '../../support/tcpProxy';
import type { StormFault } from './faults';
import type { StormFleet } from './fleet';

/** The network between a process and something that it connects to. */
interface Link {
  /** Between what it is, as the names of faults say it. */
  place: string;
  silentMs: number;
  proxies(fleet: StormFleet): readonly TcpProxy[];
}

/** A little longer than requests wait. */
const longSilentMs = 5200;

const links: readonly Link[] = [
  { place: 'to MongoDB', silentMs: longSilentMs, proxies: ({ toMongo }) => toMongo },
  { place: 'to Redis', silentMs: longSilentMs, proxies: ({ toRedis }) => [toRedis] },
  { place: 'between APIs', silentMs: 3000, proxies: ({ toPeers }) => toPeers },
];

async function cutAgainAndAgain(proxies: readonly TcpProxy[]): Promise<string> {
  const cuts = 5;
  for (let cut = 0; cut < cuts; cut += 1) {
    for (const proxy of proxies) proxy.cut();
    await sleep(400);
  }
  return `${cuts} times`;
}

async function holdFor(proxies: readonly TcpProxy[], ms: number): Promise<string> {
  for (const proxy of proxies) proxy.hold();
  await sleep(ms);
  for (const proxy of proxies) proxy.heal();
  return `for ${ms} ms`;
}

/** The other end forgets the connections, and says nothing. Then they are closed, as a firewall does. */
async function abandonFor(proxies: readonly TcpProxy[], ms: number): Promise<string> {
  for (const proxy of proxies) proxy.abandon();
  await sleep(ms);
  for (const proxy of proxies) proxy.cut();
  return `for ${ms} ms`;
}

async function slowDown(proxies: readonly TcpProxy[]): Promise<string> {
  const delayMs = 100;
  for (const proxy of proxies) proxy.slow(delayMs);
  await sleep(4000);
  for (const proxy of proxies) proxy.heal();
  return `${delayMs} ms in each direction`;
}

/** Faults of the network between the processes and their stores, and between the APIs. */
export const networkFaults: readonly StormFault[] = links.flatMap(({ place, silentMs, proxies }) => [
  { name: `connections ${place} are cut`, strike: ({ fleet }) => cutAgainAndAgain(proxies(fleet)) },
  { name: `the network ${place} is silent`, strike: ({ fleet }) => holdFor(proxies(fleet), silentMs) },
  { name: `connections ${place} are half-open`, strike: ({ fleet }) => abandonFor(proxies(fleet), silentMs) },
  { name: `the network ${place} is slow`, strike: ({ fleet }) => slowDown(proxies(fleet)) },
]);
