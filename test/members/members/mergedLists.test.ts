import { readFileSync } from 'node:fs';
import { ObjectId } from 'bson';
import { exportedResources } from '#exchange/exports/exportKinds';
import { runJob } from '#operations/jobs/runJob';
import type { Member } from '#records/members/member';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { openWorld, type World } from '../../support/world';

/**
 * docs/design/members.md, "What names a merged member": a list asked for by the id of a merged member answers for the
 * survivor, and what stays with the merged member is found by its own id.
 */
const page = readFileSync('docs/design/members.md', 'utf8');
const table = page.slice(page.indexOf('### What names a merged member')).split('\n## ')[0] ?? '';
const rows = [...table.matchAll(/^\| (`[^|]+`) \| (at once|by the job|stays) \|/gm)].flatMap(([, paths = '', word]) =>
  paths.split(', ').map((path) => ({ path: path.slice(1, -1), word })),
);

/** What a list may be asked for, by its first name. */
const listed = rows.flatMap(({ path, word }) => {
  const [name = '', ...rest] = path.split('.');
  const isListed = allRoutes.some((route) => route.method === 'GET' && route.openQuery && route.path === `/${name}`);
  const isShown = fieldIn(name, rest[0] ?? '');
  return isListed && isShown ? [{ name, field: rest.join('.'), word, path }] : [];
});

function fieldIn(name: string, field: string): boolean {
  const resource = resources.find((each) => each.path === name);
  return resource !== undefined && Object.hasOwn(resource.answer.properties, field);
}

let world: World;
let merged: Member;
let survivor: Member;
let plain: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  [merged, survivor, plain] = [await world.addMember(), await world.addMember(), await world.addMember()];
  const middle = await world.addMember();
  const merge = (into: Member, from: Member) =>
    world.server.as('admin').post(`/members/${into._id}/merge`, { memberIds: [from._id] });
  expect((await merge(middle, merged)).status).toBe(200);
  expect((await merge(survivor, middle)).status).toBe(200);
  await runJob(world.services, 'members', world.services.org._id);
});
afterAll(() => world.close());

test('the design page names lists', () => {
  expect(listed.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'issuedrewards.member',
      'accrualitems.member',
      'activityhistories.memberID',
      'journal.member',
    ]),
  );
});

describe.each(listed)('$path', ({ name, field, word }) => {
  const ids = { merged: new ObjectId(), survivor: new ObjectId(), plain: new ObjectId() };
  // What names several members does so in a list.
  const named = (id: ObjectId) => {
    const [first = '', ...below] = field.split('.');
    const inner = below.length > 0 ? { [below.join('.')]: id } : id;
    return { [first]: below.length > 0 && isList(name, first) ? [inner] : isList(name, first) ? [id] : inner };
  };
  beforeAll(async () => {
    const collection = world.services.db.collection<{ _id: ObjectId }>(name);
    for (const [ownerText, member] of Object.entries({ merged, survivor, plain })) {
      const _id = ids[ownerText as keyof typeof ids];
      const keys = { code: `${_id}`, seq: _id.getTimestamp().getTime(), loyaltyID: `${_id}`, loyaltyIDs: [`${_id}`] };
      // An account is unique by its members.
      const members = name === 'accounts' ? { members: [{ member: _id }] } : {};
      const record = { _id, org: member.org, ...keys, referralCode: `${_id}`, ...members, ...named(member._id) };
      await collection.insertOne(record);
    }
  });
  afterAll(async () => {
    await world.services.db.collection(name).deleteMany({ _id: { $in: Object.values(ids) } });
  });

  /** The lists that the id of a member is asked of, in every way in which a client may write it. */
  const requestOf = (id: ObjectId) => [
    `${field}=${id}`,
    `query=${encodeURIComponent(JSON.stringify({ [field]: `${id}` }))}`,
    `query=${encodeURIComponent(JSON.stringify({ $or: [{ [field]: { $in: [`${id}`] } }] }))}`,
  ];
  const own = new Set(Object.values(ids).map(String));
  const found = async (args: string): Promise<string[]> => {
    const { status, body } = await world.server.as('ledger-admin').get(`/${name}?${args}&limit=100&select=_id`);
    expect([args, status]).toEqual([args, 200]);
    return body.map(({ _id }: { _id: string }) => _id).filter((id: string) => own.has(id));
  };
  const ofMerged = word === 'stays' || /mergeIds|mergedInto/.test(field) ? [ids.merged] : [ids.merged, ids.survivor];

  test('is listed for the survivor by the id of the merged member', async () => {
    for (const args of requestOf(merged._id)) expect((await found(args)).sort()).toEqual(ofMerged.map(String).sort());
  });

  test('is unchanged in lists by the ids of other members', async () => {
    for (const args of requestOf(plain._id)) expect(await found(args)).toEqual([`${ids.plain}`]);
    for (const args of requestOf(survivor._id)) expect(await found(args)).toEqual([`${ids.survivor}`]);
  });

  const isExported = exportedResources.some(({ path }) => path === name);
  test(isExported ? 'is exported and counted alike' : 'is counted alike', async () => {
    const args = `query=${encodeURIComponent(JSON.stringify({ [field]: `${merged._id}` }))}`;
    const { body } = await world.server.as('ledger-admin').get(`/${name}/count?${args}`);
    expect(body.count).toBeGreaterThanOrEqual(ofMerged.length);
    if (!isExported) return;
    const exported = await world.server.as('ledger-admin').get(`/exports?kind=${name}&format=ndjson&${args}`);
    for (const id of ofMerged) expect(String(exported.body)).toContain(`${id}`);
  });
});

/** Whether a field of a record is a list. */
function isList(name: string, field: string): boolean {
  const resource = resources.find((each) => each.path === name);
  return resource?.shape.properties[field]?.type === 'array';
}
