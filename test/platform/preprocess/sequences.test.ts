import { type Client, client } from '../../support/client';
import { startApi } from '../../support/processes';
import { openWorld, type World } from '../../support/world';

let world: World;
let admin: Client;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  admin = world.server.as('admin');
  for (const value of ['first', 'text', 'cases', 'both', 'shared', 'kept', 'gap']) {
    await admin.post('/enums', { type: 'SequenceName', value });
  }
});
afterAll(() => world.close());

let made = 0;

async function create(ext: object, who = admin) {
  made += 1;
  return who.post('/enums?preprocess=true', { type: 'T', value: `${made}`, ext });
}

const next = (seqName: string, type?: string) => ({ autoIncrement: { seqName, ...(type ? { type } : {}) } });

test('the first value of a sequence is 2, then 3', async () => {
  const [first, second] = [await create({ n: next('first') }), await create({ n: next('first') })];
  expect([first.status, first.body.ext.n, second.body.ext.n]).toEqual([201, 2, 3]);
});

test('a target of type string gets a text, of type number a number', async () => {
  const { body } = await create({ text: next('text', 'string'), number: next('text', 'number') });
  expect(body.ext).toEqual({ text: '2', number: 3 });
});

test.each([
  ['String', '2'],
  ['STRING', '3'],
  ['Number', 4],
  ['integer', 5],
  ['Integer', 6],
])('a type may be written as the specification writes it: %s', async (type, expected) => {
  const { status, body } = await create({ n: next('cases', type) });
  expect([status, body.ext.n]).toEqual([201, expected]);
});

test('several sequences of one body get values in its order', async () => {
  const { body } = await create({ a: [next('both'), next('both')], b: next('both') });
  expect(body.ext).toEqual({ a: [2, 3], b: 4 });
});

test('a failing lookup takes no number, wherever it is', async () => {
  const failing = { lookup: { model: 'Enum', keys: { value: 'nothing' }, select: ['type'] } };
  const refused = await create({ n: next('kept'), z: failing });
  const { body } = await create({ n: next('kept') });
  expect([refused.status, body.ext.n]).toEqual([422, 2]);
});

test('a body that is refused afterwards leaves a gap and never a number twice', async () => {
  const refused = await admin.post('/enums?preprocess=true', { type: next('gap'), value: 'x' });
  const { body } = await create({ n: next('gap') });
  expect([refused.status, refused.body.errors[0].path, body.ext.n]).toEqual([422, 'type', 3]);
});

test.each([
  ['an unknown sequence', { seqName: 'nothing' }, 'enum', 'seqName'],
  ['a value of another enum', { seqName: '1' }, 'enum', 'seqName'],
  ['no sequence', {}, 'required', 'seqName'],
  ['a sequence that is no text', { seqName: { $ne: '' } }, 'type', 'seqName'],
  ['another type', { seqName: 'first', type: 'date' }, 'enum', 'type'],
  ['a field too many', { seqName: 'first', start: 1 }, 'additionalProperties', 'start'],
])('an autoIncrement with %s is refused', async (_name, autoIncrement, kind, field) => {
  const { status, body } = await create({ n: { autoIncrement } });
  expect([status, body.errors[0].kind, body.errors[0].path]).toEqual([422, kind, `ext.n.autoIncrement.${field}`]);
});

test('autoIncrement and lookup are data when another key is beside them', async () => {
  const data = { n: { ...next('first'), lookup: 1 }, m: { lookup: 'a', x: 1 } };
  const { status, body } = await create(data);
  expect([status, body.ext]).toEqual([201, data]);
});

test('requests at once, in two processes, never get the same value', async () => {
  const other = await startApi(world.services.config);
  const clients = [admin, client(other.url, world.services.users.admin.token)];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => create({ n: next('shared') }, clients[index % 2])),
  );
  await other.stop();
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  const values = answers.map(({ body }) => body.ext.n).sort((a, b) => a - b);
  expect(values).toEqual(Array.from({ length: 40 }, (_, index) => index + 2));
});

test('a post that persists nothing takes no number, and sees those it would get', async () => {
  await admin.post('/enums', { type: 'SequenceName', value: 'tried' });
  const member = await world.addMember();
  const ext = { a: next('tried'), b: next('tried') };
  const tried = () =>
    admin.post('/activity?preprocess=true&persist=false', { type: 'Accrual', memberID: member._id, value: 1, ext });
  const answers = [await tried(), await tried()];
  const { body } = await create({ n: next('tried') });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(body.ext.n).toBe(2);
});
