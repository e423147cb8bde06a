import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { untilAnswered } from '../../../support/untilAnswered';
import type { World } from '../../../support/world';

/** An activity of the org whose activities are archived. */
export interface ArchivedPost {
  key: string;
  type: 'Accrual' | 'Redemption';
  member: string;
  value: number;
  /** Undefined when no answer had it. */
  id: string | undefined;
  /** `unknown`: it may be cancelled, since the request was repeated. */
  cancel?: 'done' | 'unknown';
}

/** How many of the archived activities are asked for. */
const askedMax = 60;

/** Compares activities and balances of a world with what it posted. @returns a sentence for each difference */
export async function archiveFaults(world: World, root: string, posts: readonly ArchivedPost[]): Promise<string[]> {
  const files = readVolumes(root);
  const { body } = await untilAnswered(() =>
    world.server.as('admin').get('/exports?kind=activityhistories&format=ndjson'),
  );
  const lines = String(body ?? '').split('\n');
  const stored = new Set<string>(lines.filter(Boolean).map((line) => JSON.parse(line)._id));
  const inFiles = new Set([...files.volumes.values()].flatMap((ids) => [...ids]));
  const faults = [...files.faults];
  for (const post of posts) {
    post.id ??= await idOf(world, post.key);
    const { id, key } = post;
    if (!id) faults.push(`${key} was answered, and has no activity`);
    else if (!stored.has(id) && !inFiles.has(id)) faults.push(`${key} is neither stored nor archived`);
  }
  const gone = posts.filter(({ id = '' }) => !stored.has(id));
  if (gone.length === 0) faults.push('nothing was archived');
  const step = Math.ceil(gone.length / askedMax);
  for (const post of gone.filter((_post, n) => n % step === 0))
    faults.push(...(await askFor(world, post, files.volumes)));
  return [...faults, ...(await balanceFaults(world, posts))];
}

/** The ids in the files of each volume. */
type Volumes = ReadonlyMap<string, ReadonlySet<string>>;

function readVolumes(root: string): { volumes: Volumes; faults: string[] } {
  const volumes = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const name of readdirSync(root)) {
    const manifest = JSON.parse(readFileSync(path.join(root, name, 'manifest.json'), 'utf8'));
    const file = readFileSync(path.join(root, name, manifest.file));
    const lines = gunzipSync(file).toString().split('\n').filter(Boolean);
    volumes.set(name, new Set(lines.map((line) => JSON.parse(line)._id.$oid)));
    const isWhole = createHash('sha256').update(file).digest('hex') === manifest.sha256;
    if (name.endsWith('.partial') || !isWhole || lines.length !== manifest.documents) faults.push(`${name} is damaged`);
  }
  return { volumes, faults };
}

async function idOf({ server }: World, key: string): Promise<string | undefined> {
  const { body } = await untilAnswered(() => server.as('client').get(`/activity/status/${key}`));
  return body.activityId;
}

/** An archived activity is said to be so, by its id and by its key, with the volume that has it. */
async function askFor(
  { server }: World,
  { id = '', key, type, member, value }: ArchivedPost,
  volumes: Volumes,
): Promise<string[]> {
  const client = server.as('client');
  const activity = { type, memberID: member, value, externalTxnId: key };
  const answers = [
    await untilAnswered(() => client.get(`/activityhistories/${id}`)),
    await untilAnswered(() => client.post('/activity', activity)),
  ];
  return answers.flatMap(({ status, body }) => {
    const isRight = status === 410 && body.code === 1520 && volumes.get(body.params.volume)?.has(id);
    return isRight ? [] : [`${key} is not in the database, and is answered with ${status} ${JSON.stringify(body)}`];
  });
}

async function balanceFaults({ server }: World, posts: readonly ArchivedPost[]): Promise<string[]> {
  const faults: string[] = [];
  for (const member of new Set(posts.map((post) => post.member))) {
    const own = posts.filter((post) => post.member === member);
    const sum = (list: readonly ArchivedPost[]) => list.reduce((total, { value }) => total + value, 0);
    const earned = sum(own.filter(({ type }) => type === 'Accrual'));
    const spent = sum(own.filter(({ type, cancel }) => type === 'Redemption' && cancel !== 'done'));
    const unsure = sum(own.filter(({ cancel }) => cancel === 'unknown'));
    const { body } = await untilAnswered(() => server.as('client').get(`/members/${member}/purses`));
    const balance: number = body[0].balance;
    if (balance < earned - spent || balance > earned - spent + unsure) {
      faults.push(`${member} has ${balance} points after the archive instead of ${earned - spent} and up to ${unsure}`);
    }
  }
  return faults;
}
