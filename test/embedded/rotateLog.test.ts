import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { logFile } from '../../src/embedded/dataFiles';
import { rotateLog } from '../../src/embedded/rotateLog';
import { startEmbedded } from '../../src/embedded/startEmbedded';
import { embeddedOptions } from '../support/embeddedOptions';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-log-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('a log is put aside only when it is longer than the limit', () => {
  const file = logFile(dataDir, 'redis-server');
  writeFileSync(file, '12345');
  rotateLog(dataDir, 'redis-server', 5);
  expect(readFileSync(file, 'utf8')).toBe('12345');
  rotateLog(dataDir, 'redis-server', 4);
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('12345');
});

test('a running mongod goes on in a new log', async () => {
  const services = await startEmbedded({ ...embeddedOptions(dataDir), redisUrl: 'redis://given' });
  rotateLog(dataDir, 'mongod', 1);
  const file = logFile(dataDir, 'mongod');
  const client = await new mongo.MongoClient(services.mongodbUri).connect();
  await client.close();
  await services.stop(); // the end is logged
  while (!statSync(file, { throwIfNoEntry: false })?.size) await delay(20);
  expect(statSync(`${file}.1`).size).toBeGreaterThan(0);
});
