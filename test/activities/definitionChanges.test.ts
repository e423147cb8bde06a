import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { inTransaction } from '#base/db/transaction';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { definitionsVersionOf } from '../support/definitions';
import { openAlongside } from '../support/services';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

let world: World;
let acting: ActivityApi;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
});

afterAll(() => world.close());

test('the very next activity of every process sees a changed program', async () => {
  const member = await world.addMember();
  const beside = await openAlongside(world.services);
  try {
    const activity = {
      type: 'Accrual',
      date: world.services.clock.now(),
      memberID: member._id,
      value: 5,
      lineItems: [],
    };
    const submit = () => beside.pipeline.submit({ author: world.author, historyId: new ObjectId(), activity });
    expect((await submit()).result.errors).toEqual([]);
    expect(codes(await acting.post({ type: 'Accrual', memberID: member._id, value: 5 }))).toEqual([]);
    const { status } = await world.server.as('admin').put(`/programs/${world.program._id}`, { status: 'Paused' });
    expect(status).toBe(200);
    expect((await submit()).result.errors).toMatchObject([{ code: 2210 }]);
    expect(codes(await acting.post({ type: 'Accrual', memberID: member._id, value: 5 }))).toEqual([2210]);
  } finally {
    await beside.close();
  }
  await world.server.as('admin').put(`/programs/${world.program._id}`, { status: 'Active' });
});

test('creating, changing and deleting a definition increment the version, and a refused write does not', async () => {
  const admin = world.server.as('admin');
  const versions = [await definitionsVersionOf(world.services.db, world.author.org)];
  const step = async (status: number, answer: Promise<{ status: number }>) => {
    expect((await answer).status).toBe(status);
    versions.push(await definitionsVersionOf(world.services.db, world.author.org));
  };
  const name = `Miles ${new ObjectId()}`;
  const created = await admin.post('/pursepolicies', { name, program: world.program._id });
  await step(201, Promise.resolve(created));
  await step(422, admin.post('/pursepolicies', { name, program: world.program._id }));
  await step(200, admin.put(`/pursepolicies/${created.body._id}`, { overdraftLimit: 5 }));
  await step(204, admin.delete(`/pursepolicies/${created.body._id}`));
  const [first = 0] = versions;
  expect(versions.map((version) => version - first)).toEqual([0, 1, 1, 2, 3]);
});

test('policies made at the same time are all stored and counted', async () => {
  const before = await definitionsVersionOf(world.services.db, world.author.org);
  const admin = world.server.as('admin');
  const make = (n: number) => admin.post('/pursepolicies', { name: `At once ${n}`, program: world.program._id });
  const answers = await Promise.all(Array.from({ length: 45 }, (_unused, n) => make(n)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 45 }, () => 201));
  expect(await definitionsVersionOf(world.services.db, world.author.org)).toBe(before + 45);
});

test('a definition waits for the long change of another process instead of being refused', async () => {
  const { db } = world.services;
  let other = Promise.resolve();
  await new Promise<void>((begun) => {
    other = inTransaction(db, async (session) => {
      await countDefinitionChange(db, world.author.org, session);
      begun();
      await sleep(500);
    });
  });
  const body = { type: 'ChannelType', value: 'behind another' };
  const [{ status }] = await Promise.all([world.server.as('admin').post('/enums', body), other]);
  expect(status).toBe(201);
});
