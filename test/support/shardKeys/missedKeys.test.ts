import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { ObjectId } from 'bson';
import { updateAll } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import { makeDataFolder } from '../dataFolder';
import { openTestServices, type TestServices } from '../services';
import { type Command, missedKeys } from './missedKeys';
import { takeUnkeyed } from './report';
import { reviewed } from './unkeyed';

const org = new ObjectId();
const _id = new ObjectId();
const member = new ObjectId();
const update = (collection: string, q: object, more: object = {}): Command => ({
  update: collection,
  updates: [{ q, u: { $set: { updatedAt: new Date() } }, ...more }],
});

test.each<[string, Command]>([
  ['a read by the org', { find: 'members', filter: { org, status: 'Active' } }],
  ['a read by the org in a list of conditions', { find: 'members', filter: { $and: [{ org }, { status: 'Active' }] } }],
  [
    'a read whose alternatives each name the org',
    {
      find: 'journal',
      filter: {
        $or: [
          { org, seq: 1 },
          { org, seq: 2 },
        ],
      },
    },
  ],
  ['a read by some orgs', { find: 'webhooks', filter: { org: { $in: [org] }, _id } }],
  ['a write by the whole key', update('dailyaggregates', { _id, org, memberId: member })],
  ['a write of many by the org', update('dailyaggregates', { org, dirty: true }, { multi: true })],
  ['a write of a history by org and id', update('activityhistories', { _id, org })],
  [
    'a write of a record as it was read',
    update('members', { _id, org }, { u: { $set: { org: new ObjectId(org.toHexString()) } } }),
  ],
  ['a lease by its id', update('leases', { _id }, { upsert: true })],
  [
    'an aggregation that begins with the org',
    { aggregate: 'members', pipeline: [{ $match: { org } }, { $count: 'n' }] },
  ],
  ['a read of a collection that stays whole', { find: 'users', filter: { username: 'a' } }],
  ['a record with its key', { insert: 'journal', documents: [{ _id, org, member, seq: 1 }] }],
  ['distinct outside a transaction', { distinct: 'members', key: 'status', query: { org } }],
  ['a command of another kind', { ping: 1 }],
])('%s misses nothing', (_what, command) => {
  expect(missedKeys(command)).toEqual([]);
});

test.each<[string, Command, string]>([
  ['a read without the org', { find: 'members', filter: { _id } }, 'find'],
  ['a read of a range of orgs', { find: 'members', filter: { org: { $gt: org } } }, 'find'],
  ['a read of which one alternative lacks the org', { find: 'members', filter: { $or: [{ org }, { _id }] } }, 'find'],
  ['a read of everything', { find: 'members' }, 'find'],
  ['a count without the org', { count: 'members', query: { status: 'Active' } }, 'count'],
  ['an aggregation without the org', { aggregate: 'members', pipeline: [{ $count: 'n' }] }, 'aggregate'],
  [
    'a union with another collection without the org',
    { aggregate: 'users', pipeline: [{ $match: { _id } }, { $unionWith: { coll: 'members', pipeline: [] } }] },
    'aggregate',
  ],
  ['a write by the id alone', update('members', { _id }), 'update'],
  ['a write by a part of the key', update('dailyaggregates', { _id, org }), 'update'],
  [
    'an insert of what is missing by a part of the key',
    update('dailyaggregates', { _id, org }, { upsert: true }),
    'update',
  ],
  ['a write of many without the org', update('members', { status: 'Active' }, { multi: true }), 'update many'],
  [
    'a write that changes the key',
    { update: 'members', updates: [{ q: { _id, org }, u: { $set: { org: _id } } }] },
    'update of the key',
  ],
  [
    'a replacement without the key',
    { update: 'keyedrequests', updates: [{ q: { _id, org }, u: { route: '/a' } }] },
    'update of the key',
  ],
  [
    'a write that removes the key',
    { findAndModify: 'journal', query: { _id, org, member }, update: [{ $unset: 'member' }] },
    'findAndModify of the key',
  ],
  ['a deletion by the id alone', { delete: 'members', deletes: [{ q: { _id }, limit: 1 }] }, 'delete'],
  ['a claim by the id alone', { findAndModify: 'imports', query: { _id }, update: {} }, 'findAndModify'],
  [
    'a record without its key',
    {
      insert: 'journal',
      documents: [
        { _id, org, member },
        { _id, org },
      ],
    },
    'insert',
  ],
  ['a collection that nobody has placed', { find: 'newthings', filter: { org } }, 'find'],
])('%s is found', (_what, command, operation) => {
  expect(missedKeys(command)).toMatchObject([{ operation }]);
});

test('distinct in a transaction is found, because a sharded cluster refuses it', () => {
  const command = { distinct: 'members', key: 'status', query: { org } };
  expect(missedKeys(command, true)).toMatchObject([{ operation: 'distinct in a transaction' }]);
});

test('every file that was reviewed exists, and its reason is said', () => {
  const root = path.resolve(__dirname, '../../..');
  const unknown = reviewed.filter(({ source }) => !existsSync(path.join(root, source)));
  expect(unknown).toEqual([]);
  expect(reviewed.filter(({ reason }) => reason.length < 20)).toEqual([]);
});

describe('the watch over the commands', () => {
  const registerTypeScript = path.resolve(__dirname, '../registerTypeScript.cjs');
  let services: TestServices;
  const folder = makeDataFolder('loyalty-watched-');
  const { UNKEYED_COMMANDS } = process.env;
  beforeAll(async () => {
    services = await openTestServices();
    // What this file reports on purpose must not fail another one that runs at the same time.
    process.env.UNKEYED_COMMANDS = path.join(folder, 'commands');
  });
  afterAll(async () => {
    Object.assign(process.env, { UNKEYED_COMMANDS });
    rmSync(folder, { recursive: true });
    await services.close();
  });

  test('reports what the service sends without a shard key, and not what a test sends', async () => {
    const { db } = services;
    await db.collection('members').findOne({ _id });
    expect(takeUnkeyed()).toEqual([]);
    const write = () =>
      inTransaction(db, (session) => updateAll(db, session, 'members', [{ q: { _id }, u: { $set: { a: 1 } } }]));
    await write();
    await write();
    expect(takeUnkeyed()).toEqual(['update in members by _id, from src/base/db/collections.ts']);
    expect(takeUnkeyed()).toEqual([]);
  });

  test('sees the processes that tests start', async () => {
    const script = `require('mongoose').createConnection(process.env.URI).asPromise().then(async (db) => {
      await db.collection('members').findOne({});
      await db.close();
    })`;
    const env = { ...process.env, URI: services.config.MONGODB_URI };
    await promisify(execFile)(process.execPath, ['--require', registerTypeScript, '-e', script], { env });
    expect(takeUnkeyed()).toEqual(['find in members by nothing, from unknown']);
  });

  test('every run of jest has it, of all files and of one', () => {
    const { setupFilesAfterEnv } = createRequire(__filename)('../../../jest.config.cjs').projects[1];
    expect(setupFilesAfterEnv).toContain('<rootDir>/test/support/shardKeys/failOnUnkeyed.ts');
    expect(UNKEYED_COMMANDS).toBeDefined();
  });
});
