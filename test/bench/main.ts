import { parseArgs } from 'node:util';
import { comparePosts } from './comparePosts';
import { measureFindMembers } from './findMembers';
import { measureImports } from './imports';
import { type MembersStored, measureMembersStored } from './membersStored';
import type { Seconds } from './rate';
import { measureReads } from './reads';
import { measureReconcile } from './reconcile';
import { measureRules } from './rules/measureRules';
import { measureScale, type ScaleOptions } from './scale';
import { measureSteady } from './steady';
import { measureStorage } from './storage';
import { measureTurns, type Turns } from './turns';
import { measureWalk } from './walk';
import { measureWebhooks } from './webhooks';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    members: { type: 'string', default: '100000' },
    items: { type: 'string', default: '1000000' },
    against: { type: 'string', default: '' },
    turns: { type: 'string', default: '20' },
    connections: { type: 'string', default: '64' },
    load: { type: 'string', default: '' },
    fleets: { type: 'string', default: '' },
    apart: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '' },
  },
});
const isQuick = options.quick;
const seconds: Seconds = isQuick ? { warmUp: 2, measured: 5 } : { warmUp: 10, measured: 30 };
const queued = isQuick ? 60_000 : 300_000;

/** Every bench by name; each returns the rows of its table. The default is `posts`. */
const benches: Record<string, () => Promise<string[]>> = {
  posts: () => comparePosts(seconds, queued, say),
  rules: () => measureRules({ rowMs: isQuick ? 1000 : 5000, say }),
  reads: () => measureReads({ members: Number(options.members), items: Number(options.items) }, seconds, say),
  reconcile: () => measureReconcile({ members: Number(options.members), items: Number(options.items) }, say),
  steady: () => measureSteady(Number(options.minutes), say),
  members: () => measureMembersStored(membersOptions(), say),
  storage: () => measureStorage(isQuick ? 5000 : 20_000, say),
  findMember: () => measureFindMembers(Number(options.members), seconds, say),
  import: () => measureImports(Number(options.members), seconds, say),
  walk: measureWalk,
  webhooks: () => measureWebhooks(isQuick ? 1000 : 5000, seconds, say),
  scale: () => measureScale(scaleOptions(), say),
  turns: () => measureTurns(turnsOptions(), seconds, say),
};

function scaleOptions(): ScaleOptions {
  return {
    rounds: Number(options.rounds || (isQuick ? 1 : 3)),
    seconds: Number(options.seconds || (isQuick ? 5 : 10)),
    only: options.load,
    fleets: options.fleets,
    against: options.against,
    isApart: options.apart,
  };
}

function membersOptions(): MembersStored {
  const turns = Number(options.rounds || (isQuick ? 2 : 10));
  return { many: Number(options.members), turns, seconds: Number(options.seconds || 5) };
}

function turnsOptions(): Turns {
  const { against, turns, connections } = options;
  return { against, turns: Number(turns), connections: Number(connections) };
}

async function main(): Promise<void> {
  const bench = benches[positionals[0] ?? 'posts'];
  if (!bench) throw new Error(`There are the benches ${Object.keys(benches).join(', ')}`);
  const rows = await bench();
  process.stdout.write(`\n${rows.join('\n')}\n`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
