import http from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { collectionOf } from '#base/db/collections';
import { importChunkResource, importUploadResource } from '#exchange/imports/file/importFiles';
import {
  deleteFile,
  receiveFile,
  releaseAbandoned,
  releaseFile,
  type StoredFile,
} from '#exchange/imports/file/receiveFile';
import { importResource } from '#exchange/imports/import';
import { importLimits } from '#exchange/imports/importLimits';
import { beginImport } from '#exchange/imports/startImport';
import { serveLimits } from '#platform/http/serveLimits';
import { serve } from '#server/serve';
import { share } from '../../support/scale';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [], config: { IMPORT_MAX_MB: 4 } });
  imports = importing(world);
});
afterAll(() => world.close());

const stored = async () => ({
  chunks: await collectionOf(world.services.db, importChunkResource).countDocuments({}),
  uploads: await collectionOf(world.services.db, importUploadResource).countDocuments({}),
});

test.each([
  ['an unknown column', 'sku,name,colour\n1,2,3', 'colour', 'additionalProperties'],
  ['a doubled column', 'sku,name,name\n1,2,3', 'name', 'unique'],
  ['a column without a name', 'sku,,name\n1,2,3', '', 'required'],
  ['no key', 'name\n1', 'sku', 'required'],
  ['a column that is no name of a field', 'sku,name,ext.__proto__\n1,2,3', 'ext.__proto__', 'additionalProperties'],
  ['a header of UTF-16', Buffer.from('\uFEFFsku,name\n1,2', 'utf16le'), 'header', 'format'],
  ['a header that is not UTF-8', Buffer.from([0x73, 0x6b, 0xff, 0x2c, 0x61]), 'header', 'format'],
])('a file with %s is refused, and nothing is stored', async (_what, content, path, kind) => {
  const { status, body } = await imports.post({ kind: 'products', content: content as string });
  expect([status, body.errors]).toEqual([422, expect.arrayContaining([expect.objectContaining({ path, kind })])]);
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test.each([
  ['', 400],
  ['\uFEFF', 422],
  ['\n\n', 422],
])('an empty file %j is refused', async (content, status) => {
  expect((await imports.post({ kind: 'products', content })).status).toBe(status);
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test.each([
  ['/imports?kind=none', 'text/csv', 400, /kind/],
  ['/imports', 'text/csv', 400, /kind/],
  ['/imports?kind=products', 'text/csv; charset=utf-16', 415, /UTF-8/],
  ['/imports?kind=products', 'application/json', 415, /text\/csv or application\/x-ndjson/],
  ['/imports?kind=products&format=ndjson', 'text/csv', 400, /format/],
  ['/imports?kind=products&dryRun=maybe', 'text/csv', 400, /dryRun/],
])('POST %s of %s answers %i', async (path, type, expected, message) => {
  const options = { raw: 'sku,name\n1,2', headers: { 'content-type': type } };
  const { status, body } = await world.server.as('admin').post(path, undefined, options);
  expect([status, body.message]).toEqual([expected, expect.stringMatching(message)]);
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test.each([
  ['a byte order mark and CRLF', '\uFEFFsku,name\r\nB-1,Tea\r\n\r\nB-2,Tea\r\n', 2],
  ['semicolons', 'sku;name\nS-1;Tea, green\n', 1],
  ['a column to ignore', '#note,sku,name,_id,createdAt\nx,IG-1,Tea,,\n', 1],
  ['a guarded text', `sku,name\nG-1,'=1+1\nG-2,'plain\nG-3,''=x\n`, 3],
  ['no line break at the end', 'sku,name\nE-1,Tea', 1],
  ['blank rows and rows of separators', '\n,,\nsku,name\n\n,\nBL-1,Tea\n , \n"",""\nBL-2,Tea\n,,,,\n\n\r\n', 2],
  ['columns without name and value', 'sku,name,,\nNO-1,Tea,,\nNO-2,Tea\nNO-3,Tea,,,,,\n', 3],
  ['mixed ends of lines', 'sku,name\rMX-1,Tea\r\nMX-2,Tea\nMX-3,"a\r\nb"\r\r\nMX-4,Tea', 4],
  ['a line that names the delimiter', '\uFEFFsep=;\r\nsku;name\r\nSE-1;Tea, green\r\n', 1],
  ['another such line', '"sep=\t"\nsku\tname\nST-1\tTea; green, black\n', 1],
  ['a quoted comma in a header of semicolons', '"#Note, of us";sku;name\nx;QC-1;Tea\n', 1],
  ['a comma in a header of more semicolons', '#Note, of us;sku;name\nx;QD-1;Tea\n', 1],
  ['a quoted semicolon in a header of commas', '"#Note; a; b; c",sku,name\nx,QE-1,Tea\n', 1],
])('a file with %s is read', async (_what, content, created) => {
  const { counts, end } = await imports.imported({ kind: 'products', content });
  expect({ created: counts.created, failed: counts.failed, end }).toEqual({ created, failed: 0, end: 'Done' });
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test.each([
  ['sku,name,,\nV-1,Tea,,x\n', 'has a value in column 4, which has no name (columns)'],
  ['sku,name\nV-1,Tea,x\n', '"has 3 cells, and the header has 2 (columns)"'],
  ['sku,name\nV-1\n', '"has 1 cells, and the header has 2 (columns)"'],
])('a value without a column name is a fault of its row: %j', async (content, fault) => {
  const { counts, errors } = await imports.imported({ kind: 'products', content });
  expect(counts).toMatchObject({ rows: 1, failed: 1 });
  expect(errors).toContain(fault);
});

test('rows without a value do not count, however many they are, and lines are those of the file', async () => {
  const blank = '\n,\r\n , \r'.repeat(40_000);
  const { counts, end, errors } = await imports.imported({
    kind: 'products',
    content: `sep=,\nsku,name\n${blank}BR-1,Tea\n"BR-2","a\r\nb"\nBR-3,\n${blank}`,
  });
  expect([end, counts]).toMatchObject(['Done', { rows: 3, created: 2, failed: 1 }]);
  expect(errors).toMatch(/^80007,name/m);
});

test('NDJSON may have any ends of lines', async () => {
  const row = (n: number) => JSON.stringify({ sku: `NL-${n}`, name: 'Tea' });
  const content = `${row(1)}\r${row(2)}\r\n\r\n${row(3)}\n\r{"sku":\r`;
  const { counts, errors } = await imports.imported({ kind: 'products', format: 'ndjson', content });
  expect(counts).toMatchObject({ rows: 4, created: 3, failed: 1 });
  expect(JSON.parse(errors)).toMatchObject({ '#line': 6 });
});

test('guarded texts are stored as they were before', async () => {
  const { body } = await world.server.as('admin').get('/products?sku=~^G-&sort=sku');
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['=1+1', "'plain", "'=x"]);
});

test('a row that is not UTF-8 or too long fails alone, and lines are counted through quoted line breaks', async () => {
  const long = 'x'.repeat(2 ** 20);
  const content = Buffer.concat([
    Buffer.from('sku,name\nU-1,"a\nb"\nU-2,'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(`\nU-3,Te\u00E9\nU-4,"c\n\nd",x\nU-5,${'y'.repeat(300)}\n`),
  ]);
  const { counts, errors } = await imports.imported({ kind: 'products', content: content as Uint8Array<ArrayBuffer> });
  expect(counts).toMatchObject({ created: 2, failed: 3 });
  expect(
    errors
      .split('\n')
      .filter((line) => /^\d+,/.test(line))
      .map((line) => line.split(',').slice(0, 2).join(' ')),
  ).toEqual([
    '4 is not valid UTF-8 (encoding)',
    expect.stringMatching(/^6 "?has 3 cells/),
    expect.stringMatching(/^9 name must NOT have/),
  ]);
  const lines = [
    { sku: 'L-1', name: long },
    { sku: 'L-2', name: 'Tea' },
  ]
    .map((row) => JSON.stringify(row))
    .join('\n');
  const second = await imports.imported({ kind: 'products', format: 'ndjson', content: lines });
  expect(second.counts).toMatchObject({ created: 1, failed: 1 });
  expect(JSON.parse(second.errors)).toMatchObject({ '#line': 1, '#fault': 'has more than 1 MB (maxLength)' });
});

/** Rows that fail, of more than two parts of a file. */
const manyRows = Array.from({ length: 900 }, (_unused, n) => `X-${n},,${'x'.repeat(3000)}\n`).join('');

test.each([
  ['an open quote', 'Q-2,"Tea\n', /quote is not closed/],
  ['a quote within a cell', 'W-2,a"b"\nW-3,Tea\n', /quote/],
  ['a row of more than 1 MB', `R-2,"${'x\n'.repeat(2 ** 19 + 10)}"\n`, /1 MB/],
])('an import of a file with %s fails', async (_what, content, message) => {
  const { end, error } = await imports.imported({ kind: 'products', content: `sku,name\n${content}` });
  expect({ end, error }).toEqual({ end: 'Failed', error: expect.stringMatching(message) });
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test('a long row across the end of a part does not hide the header', async () => {
  const content = `sku,name\nV-1,"${'x'.repeat(900_000)}"\nV-2,"${'y'.repeat(900_000)}"\nV-3,"${'z'.repeat(900_000)}"\nV-4,Tea`;
  const { end, counts } = await imports.imported({ kind: 'products', content });
  expect({ end, counts }).toMatchObject({ end: 'Done', counts: { created: 1, failed: 3 } });
});

test('a file that cannot be read to its end fails there, and earlier rows stay', async () => {
  const { end, error, counts } = await imports.imported({
    kind: 'products',
    content: `sku,name,brand\n${manyRows}Q-9,"Tea\n`,
  });
  expect({ end, error }).toEqual({ end: 'Failed', error: 'line 902: a quote is not closed' });
  expect(counts.rows).toBeGreaterThan(0);
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test('a compressed file is read', async () => {
  const content = gzipSync('sku,name\nZ-1,Tea\n') as Uint8Array<ArrayBuffer>;
  const { counts } = await imports.imported({ kind: 'products', content, headers: { 'content-encoding': 'gzip' } });
  expect(counts.created).toBe(1);
});

test('a post that is repeated with its key begins one import', async () => {
  const sent = { kind: 'products', content: 'sku,name\nY-1,Tea', headers: { 'idempotency-key': 'file-1' } };
  const [first, second] = [await imports.post(sent), await imports.post(sent)];
  expect([first.status, second.status, second.body]).toEqual([202, 202, first.body]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const other = await imports.post({ ...sent, content: 'sku,name\nY-2,Tea' });
  expect([other.status, other.body.errors]).toEqual([422, [expect.objectContaining({ kind: 'unique' })]]);
  expect(await stored()).toEqual({ chunks: 1, uploads: 0 });
  await imports.run();
});

/** Begins a post of a file. Its connection may end before the whole file is sent. */
function beginUpload(url: string, headers: Record<string, string> = {}, query = 'kind=products') {
  const sent = { authorization: `Bearer ${world.services.users.admin.token}`, 'content-type': 'text/csv', ...headers };
  const options = { port: new URL(url).port, method: 'POST', path: `/api/v1/imports?${query}`, headers: sent };
  const request = http.request({ ...options, agent: false });
  const status = new Promise<number>((resolve) => {
    request.once('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.once('error', () => resolve(0));
  });
  request.on('error', () => undefined);
  return { request, status };
}

test('a file that breaks off leaves nothing, and no more than two large ones arrive at once', async () => {
  const begin = () => {
    const { request } = beginUpload(world.server.url, { 'content-length': '4000000' });
    // Parts have 1 MB or a little more, so two of each file are stored.
    request.write('sku,name\n'.padEnd(3 * 2 ** 20, 'x'));
    return request;
  };
  const uploads = [begin(), begin()];
  await until(async () => (await stored()).chunks >= 4);
  const large = `sku,name\n${'1,2\n'.repeat(300_000)}`;
  expect(await imports.post({ kind: 'products', content: large })).toBeRefused(429, 1260);
  expect((await imports.post({ kind: 'products', content: 'sku,name\n1,2' })).status).toBe(202);
  await imports.run();
  for (const upload of uploads) upload.destroy();
  await until(async () => JSON.stringify(await stored()) === '{"chunks":0,"uploads":0}');
  expect((await imports.post({ kind: 'products', content: 'sku,name\n1,2' })).status).toBe(202);
  await imports.run();
});

test('a file above the limit is refused while it arrives, and nothing of it stays', async () => {
  const { request, status } = beginUpload(world.server.url);
  let sentMb = 0;
  let isAnswered = false;
  const send = () => {
    for (let goesOn = true; goesOn && !isAnswered; sentMb += 1) goesOn = request.write(Buffer.alloc(2 ** 20, 'x,y\n'));
  };
  request.on('drain', send);
  send();
  expect(await status).toBe(413);
  isAnswered = true;
  // What the limit allows, and what is under way.
  expect(sentMb).toBeLessThan(64);
  request.destroy();
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test('the limit is that of the file without its compression', async () => {
  const content = gzipSync(Buffer.alloc(5 * 2 ** 20, 'x,y\n')) as Uint8Array<ArrayBuffer>;
  const answer = await imports.post({
    kind: 'products',
    content,
    headers: { 'content-encoding': 'gzip' },
  });
  expect(answer).toBeRefused(413, 1240, { message: 'A file has at most 4 MB' });
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test('a refused file whose client leaves disturbs no other request', async () => {
  const { request, status } = beginUpload(world.server.url, { 'content-encoding': 'gzip' }, 'kind=none');
  request.write(gzipSync('sku,name\n').subarray(0, 12));
  expect(await status).toBe(400);
  request.destroy();
  expect((await world.server.as('admin').get('/imports?limit=1')).status).toBe(200);
});

test('a file may take longer than other bodies', async () => {
  const limits = { ...serveLimits, requestMs: 300, lateCheckMs: 20, idleGraceMs: 0 };
  const api = await serve(world.services, undefined, limits);
  const slow = beginUpload(api.url);
  slow.request.write('sku,name\n');
  const other = http.request({ port: new URL(api.url).port, method: 'POST', path: '/api/v1/login', agent: false });
  other.on('error', () => undefined);
  other.write('{');
  // The other body has taken too long; the file began before it.
  await new Promise((resolve) => other.once('close', resolve));
  slow.request.end('SLOW-1,Tea\n');
  expect(await slow.status).toBe(202);
  await api.close();
  await imports.run();
});

test('a file that arrives too slowly is refused, and nothing of it stays', async () => {
  const stream = new PassThrough();
  stream.write('sku,name\n');
  const received = receiveFile(world.services, world.author, stream, { paceMs: 50, paceMinBytes: 100 });
  await expect(received).rejects.toMatchObject({ reason: 'malformed', message: 'The body comes too slowly' });
  expect(await stored()).toEqual({ chunks: 0, uploads: 0 });
});

test('a slow upload is renewed, so that it does not count as abandoned', async () => {
  const { services, author } = world;
  const stream = new PassThrough();
  stream.write('sku,name\n');
  const received = receiveFile(services, author, stream, { paceMs: 50, paceMinBytes: 0 });
  const uploads = collectionOf(services.db, importUploadResource);
  await until(async () => (await uploads.countDocuments({})) === 1);
  const before = new Date();
  await uploads.updateOne({}, { $set: { aliveAt: new Date(before.getTime() - importLimits.abandonedMs * 2) } });
  await until(async () => (await uploads.countDocuments({ aliveAt: { $gte: before } })) === 1);
  await releaseAbandoned(services);
  expect((await stored()).uploads).toBe(1);
  stream.end();
  expect(await received).toMatchObject({ bytes: 9, chunks: 1 });
  await deleteFile(services, await received);
});

describe('a file that is released while its import begins', () => {
  const receive = () =>
    receiveFile(world.services, world.author, Readable.from([Buffer.from('sku,name\nLATE-1,Tea\n')]));
  const begin = (file: StoredFile, inCommit?: () => Promise<void>) =>
    beginImport(
      world.services,
      { ...world.author, permissions: new Set() },
      { kind: 'products', format: 'csv', dryRun: false, file },
      inCommit,
    );

  test('stays when the import is committed, which then has all of it', async () => {
    const file = await receive();
    let released: Promise<void> | undefined;
    // The request has had its answer, so its file is released; the transaction goes on.
    const job = await begin(file, async () => {
      released = releaseFile(world.services, file);
      await sleep(200);
    });
    await released;
    expect(await stored()).toEqual({ chunks: 1, uploads: 0 });
    await imports.run();
    expect(await imports.read(String(job._id))).toMatchObject({ status: 'Done', created: 1 });
  });

  test('makes no import when the release came first', async () => {
    const file = await receive();
    // The first step of a release; the header of the file can still be read.
    await collectionOf(world.services.db, importUploadResource).deleteOne({ _id: file._id });
    await expect(begin(file)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await collectionOf(world.services.db, importResource).countDocuments({ _id: file._id })).toBe(0);
    await deleteFile(world.services, file);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('exports and failed rows begin with a byte order mark when asked, and are read back', async () => {
  const admin = world.server.as('admin');
  await imports.imported({ kind: 'products', content: 'sku,name\nBOM-1,Tee grün\n' });
  const bytesOf = async (path: string) => {
    const headers = { authorization: `Bearer ${world.services.users.admin.token}` };
    const answer = await fetch(`${world.server.url}/api/v1${path}`, { headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const plain = await bytesOf('/exports?kind=products');
  const marked = await bytesOf('/exports?kind=products&bom=true');
  expect(marked).toEqual(Buffer.concat([Buffer.from('\uFEFF'), plain]));
  const again = await imports.imported({ kind: 'products', content: marked as Uint8Array<ArrayBuffer> });
  expect(again.counts).toMatchObject({ created: 0, updated: 0, failed: 0 });
  const { id } = await imports.imported({ kind: 'products', content: 'sku,name\nBOM-2,\n' });
  const failed = await bytesOf(`/imports/${id}/errors?bom=true`);
  expect(failed).toEqual(Buffer.concat([Buffer.from('\uFEFF'), await bytesOf(`/imports/${id}/errors`)]));
  for (const format of ['csv', 'AAA', '']) {
    const refused = await world.server.as('admin').get(`/imports/${id}/errors?format=${format}`);
    expect([format, refused.status]).toEqual([format, 400]);
  }
  for (const path of ['/exports?kind=products&format=ndjson&bom=true', '/exports?kind=products&bom=yes']) {
    expect((await admin.get(path)).status).toBe(400);
  }
});

/** Faults that end a file, with the number of rows before them: of one batch and of several. */
const endings = [
  ['a quote that is not closed', 1, 'X-1,"open\nx\n\nY-1,Tea\n', /^line 3: a quote is not closed$/],
  ['a quote that is not closed', 700, 'X-1,"open\nx\n', /^line 702: a quote is not closed$/],
  ['a row of more than 1 MB', 3, `X-1,Tea${' tea'.repeat(300_000)}\n`, /^line 5: a row has more than 1 MB/],
  ['a quote within a cell', 600, 'X-1,"a"b\nY-1,Tea\n', /^line 602: a quote stands within a cell/],
  [
    'a quote that closes after more than 1 MB',
    3,
    `X-1,\n"X-2","\n${'tea\n'.repeat(300_000)}"\n`,
    /^line 6: a row has more/,
  ],
] as const;

test.each(share(endings, 3))('the rows before %s are imported and counted: %i', async (what, count, fault, error) => {
  const skus = Array.from({ length: count }, (_unused, n) => `BF-${what.length}-${count}-${n}`);
  const content = `sku,name\n${skus.map((sku) => `${sku},Tea\n`).join('')}${fault}`;
  const also = fault.startsWith('X-1,\n') ? 1 : 0;
  for (const dryRun of [true, false]) {
    const { counts, end, error: output } = await imports.imported({ kind: 'products', content, dryRun });
    expect([end, output]).toEqual(['Failed', expect.stringMatching(error)]);
    expect(counts).toEqual({ rows: count + also, created: count, updated: 0, unchanged: 0, failed: also });
  }
  const { body } = await world.server.as('admin').get(`/products/count?sku=~^BF-${what.length}-${count}-`);
  expect(body.count ?? body).toBe(count);
});
