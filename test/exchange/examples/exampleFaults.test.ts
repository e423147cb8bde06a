import assert from 'node:assert';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { exampleRecords } from '#exchange/examples/exampleRecords';
import { loadDefinitions } from '#exchange/examples/loadDefinitions';
import { readExample } from '#exchange/examples/readExample';
import { resources } from '#server/services/resources';
import { openTestServer } from '../../support/server';

/** What is wrong in an example is said with its place, in English and for translations (docs/design/errors.md). */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'loyalty-faults-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reads an example with this text as its definitions. */
async function read(text: string) {
  await mkdir(path.join(folder, 'tea'));
  await writeFile(path.join(folder, 'tea/definitions.json'), text);
  return readExample(folder, 'tea', resources);
}

const example = (definitions: object) => read(JSON.stringify({ title: 'Tea', sample: {}, definitions }));

test('what is not JSON is answered with the reason of the parser as a parameter', async () => {
  const refused = await read('{ title').catch((error: unknown) => error);
  assert(refused instanceof ServiceError);
  const [fault] = refused.details.errors ?? [];
  const error = expect.stringMatching(/^SyntaxError: /);
  expect(fault).toMatchObject({ path: 'definitions.json', kind: 'json', params: { error } });
  expect(fault).toMatchObject(message('examples.notJson', { error: String(fault?.params?.error) }));
});

test('a collection that does not exist is answered with its place', async () => {
  await expect(example({ teas: [] })).rejects.toMatchObject({
    details: { errors: [{ ...message('examples.noCollection'), path: 'definitions.teas', kind: 'enum' }] },
  });
});

test('a lookup of what no earlier definition makes is answered with the model', async () => {
  const program = { lookup: { model: 'Program', keys: { code: 'tea' }, select: ['_id'] } };
  const { definitions } = await example({ pursepolicies: [{ program, name: 'Points' }] });
  await expect(exampleRecords(definitions)).rejects.toMatchObject({
    details: {
      errors: [{ ...message('examples.lookupOfEarlier', { model: 'Program' }), path: 'pursepolicies.0.program' }],
    },
  });
});

test('a definition that the service refuses is named, with the faults of its answer', async () => {
  const server = await openTestServer();
  const { db, org } = server.services;
  const admin = server.as('admin');
  const pursepolicies = [{ program: '0'.repeat(24), name: 'Points' }];
  const records = await exampleRecords((await example({ pursepolicies })).definitions);
  const send = (method: 'POST' | 'PATCH', to: string, body: unknown) =>
    method === 'POST' ? admin.post(to, body) : admin.patch(to, body);
  const load = loadDefinitions({ db, org: org._id, send, records, replaces: false });
  await expect(load).rejects.toMatchObject({
    ...message('examples.refused', { place: 'pursepolicies.0' }),
    details: { errors: [{ ...message('refs.noRecord', { name: 'Program' }), path: 'pursepolicies.0.program' }] },
  });
  await server.close();
});
