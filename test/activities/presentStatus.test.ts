import { resources } from '#server/services/resources';
import { makeTierPolicy } from '../support/definitions';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

/** An activity that was posted with a key, and the body with which it was posted. */
interface Posted {
  id: string;
  key: string;
  body: Record<string, unknown>;
}

let world: World;
let acting: ActivityApi;
const get = async (path: string) => {
  const { status, body } = await world.server.as('client').get(path);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
};
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

beforeAll(async () => {
  world = await openWorld({ rules: [] });
  acting = activityApi(world);
  await makeTierPolicy(world.services.db, world.author, world.program);
  const program = world.program._id;
  await world.server.as('admin').post('/rewards', { code: 'GIFT', name: 'A gift', program });
  await world.publish([
    { ...earnRule, actions: [...earnRule.actions, { type: 'issueReward', reward: 'GIFT' }] },
    { ...earnRule, key: 'talk', activityTypes: ['Cancellation'], actions: [{ type: 'log', message: 'It came back' }] },
  ]);
});
afterAll(() => world.close());

let posts = 0;
async function post(fields: Record<string, unknown> = {}, query = ''): Promise<Posted> {
  posts += 1;
  const key = `present-${posts}`;
  const { _id: memberID } = await world.addMember();
  const body = { type: 'Accrual', memberID, value: 400, externalTxnId: key, ...fields };
  await acting.post(body, query);
  await acting.drain();
  const [history] = await get(`/activityhistories?externalTxnId=${key}`);
  return { id: history._id, key, body };
}
async function cancelled(posted: Posted, ...parts: object[]): Promise<Posted> {
  for (const part of parts) expect((await acting.cancel(posted.id, part)).body.result.errors).toEqual([]);
  return posted;
}
async function ofCancellation(): Promise<Posted> {
  const { id, key } = await post();
  const body = { type: 'Cancellation', originalTxnId: id, externalTxnId: `${key}-back` };
  await acting.post(body);
  const [{ _id }] = await get(`/activityhistories?externalTxnId=${body.externalTxnId}`);
  return { id: _id, key: body.externalTxnId, body };
}

const statuses: [string, string, () => Promise<Posted>][] = [
  ['processed', 'Processed', () => post()],
  ['processed later', 'Processed', () => post({}, '?async=true')],
  ['refused', 'Error', () => post({ couponCode: 'nothing' })],
  ['returned in part', 'Processed', async () => cancelled(await post(), { value: 100 })],
  ['cancelled', 'Cancelled', async () => cancelled(await post(), {})],
  ['processed later and cancelled', 'Cancelled', async () => cancelled(await post({}, '?async=true'), {})],
  ['cancelled in parts', 'Cancelled', async () => cancelled(await post(), { value: 100 }, { value: 300 })],
  ['a Cancellation', 'Processed', ofCancellation],
];

type History = { status: string; result: { data: { status: string } } };
const both = ({ status, result }: History) => [status, result.data.status];

/** The resources with a reference to an activity, and the field. Issued rewards are read by their activity alone. */
const referring = resources.flatMap(({ path, readable }) =>
  Object.entries(readable.properties).flatMap(([field, schema]) =>
    schema['x-ref'] === 'ActivityHistory' && field !== 'usedBy' ? [[path, field] as const] : [],
  ),
);

/** Every way to read the status of an activity: the statuses that it shows. */
const ways: [string, (posted: Posted) => Promise<string[]>][] = [
  ['by its id', async ({ id }) => both(await get(`/activityhistories/${id}`))],
  ['in a list', async ({ id }) => (await get(`/activityhistories?_id=${id}`)).flatMap(both)],
  ...['result', 'result.data', 'result.data.status'].map((select): (typeof ways)[number] => [
    `by select=${select}`,
    async ({ id }) => {
      const one = await get(`/activityhistories/${id}?select=${select}`);
      const [listed] = await get(`/activityhistories?_id=${id}&select=${select}`);
      return [one.result.data.status, listed.result.data.status];
    },
  ]),
  ['by select=status', async ({ id }) => [(await get(`/activityhistories/${id}?select=status`)).status]],
  ...['status', 'result.data.status'].map((field): (typeof ways)[number] => [
    `by distinct=${field}`,
    ({ id }) => get(`/activityhistories?_id=${id}&distinct=${field}`),
  ]),
  ...referring.map(([path, field]): (typeof ways)[number] => [
    `by populate=${field} of ${path}`,
    async ({ id, body }) => {
      const found = await get(`/${path}?${field}=${id}&populate=${field}`);
      const isReferred = path !== 'activityhistories' && body.type === 'Accrual' && body.couponCode === undefined;
      if (isReferred) expect(found).not.toEqual([]);
      return found.flatMap((record: Record<string, History>) => both(record[field] as History));
    },
  ]),
  [
    'at its status',
    async ({ key }) => {
      const { status, result } = await get(`/activity/status/${key}`);
      return [status, result.data.status];
    },
  ],
  ...['', '?async=true', '?filter=data'].map((query): (typeof ways)[number] => [
    `by a replay${query}`,
    async ({ body }) => {
      const answer = await acting.post(body, query);
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      return [answer.body.result.data.status];
    },
  ]),
  [
    'by a replay in bulk',
    async ({ body }) => {
      const answer = await world.server.as('client').post('/activities/bulk?async=true', [body]);
      return [answer.body[0].status];
    },
  ],
];

describe.each(statuses)('%s, an activity is %s', (_name, status, make) => {
  let posted: Posted;
  beforeAll(async () => {
    posted = await make();
  });

  test.each(ways)('%s', async (_way, read) => {
    expect((await read(posted)).filter((shown) => shown !== status)).toEqual([]);
  });

  test('is found by queries for this status', async () => {
    for (const field of ['status', 'result.data.status']) {
      for (const each of ['Processed', 'Error', 'Cancelled']) {
        const found = each === status ? 1 : 0;
        const { id } = posted;
        expect(await get(`/activityhistories/count?_id=${id}&${field}=${each}`)).toEqual({ count: found });
        const query = json({ _id: id, [field]: { $in: [each] } });
        expect(await get(`/activityhistories?query=${query}&select=_id`)).toHaveLength(found);
      }
    }
  });
});

test('a cancel can validate the shown status', async () => {
  const { id } = await cancelled(await post(), { value: 1 });
  const validate = (status: string) => `?validate=${json({ 'result.data.status': status })}`;
  expect((await acting.cancel(id, {}, validate('Cancelled'))).body.result.errors).toMatchObject([{ code: 2320 }]);
  expect((await acting.cancel(id, {}, validate('Processed'))).body.result.errors).toEqual([]);
});

test('a key that is replayed in the batch of its own cancel shows the effect of the cancel', async () => {
  const { body, id } = await post();
  const [, ...replays] = await Promise.all([acting.cancel(id), ...Array.from({ length: 4 }, () => acting.post(body))]);
  for (const replay of replays) expect(['Processed', 'Cancelled']).toContain(replay.body.result.data.status);
  expect((await acting.post(body)).body.result.data.status).toBe('Cancelled');
});
