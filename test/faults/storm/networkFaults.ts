import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '../../support/tcpProxy';
import type { StormFault } from './faults';

/** A little longer than requests wait. */
const silentMs = 5200;

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

/** Faults of the network between the processes and MongoDB, and between the APIs. */
export const networkFaults: readonly StormFault[] = [
  { name: 'connections to MongoDB are cut', strike: ({ fleet }) => cutAgainAndAgain(fleet.toMongo) },
  { name: 'the network to MongoDB is silent', strike: ({ fleet }) => holdFor(fleet.toMongo, silentMs) },
  { name: 'connections to MongoDB are half-open', strike: ({ fleet }) => abandonFor(fleet.toMongo, silentMs) },
  {
    name: 'the network to MongoDB is slow',
    async strike({ fleet }) {
      const delayMs = 100;
      for (const proxy of fleet.toMongo) proxy.slow(delayMs);
      await sleep(4000);
      for (const proxy of fleet.toMongo) proxy.heal();
      return `${delayMs} ms in each direction`;
    },
  },
  { name: 'the hand-over between APIs is cut', strike: ({ fleet }) => cutAgainAndAgain(fleet.toPeers) },
  { name: 'the hand-over between APIs is silent', strike: ({ fleet }) => holdFor(fleet.toPeers, 3000) },
  { name: 'the hand-over between APIs is half-open', strike: ({ fleet }) => abandonFor(fleet.toPeers, 3000) },
];
