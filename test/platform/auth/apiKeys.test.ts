import { ObjectId } from 'bson';
import { createApiKey } from '#access/apiKeys/storeApiKey';
import { collectionOf } from '#base/db/collections';
import { makeApiKeyText } from '#platform/auth/apiKeyText';
import { createAuthenticate } from '#platform/auth/authenticate';
import { apiKeyResource } from '#records/users/apiKey';
import { openTestServices, type TestServices } from '../../support/services';

/** API keys where requests are authenticated: with tokens in one read, and never by what is not theirs. */
let services: TestServices;
let text: string;
let id: ObjectId;
beforeAll(async () => {
  services = await openTestServices();
  const author = services.users.admin.principal;
  const fields = { name: 'Key', permissions: [], roles: ['reader' as const] };
  const made = await createApiKey({ db: services.db, author, now: services.clock.now() }, fields);
  text = made.text;
  id = made.apiKey._id;
});
afterAll(() => services.close());

/** Counts the commands that read principals. */
async function readsOf<T>(work: () => Promise<T>): Promise<{ result: T; reads: number }> {
  let reads = 0;
  const client = services.db.getClient();
  const count = ({ commandName }: { commandName: string }) => {
    if (commandName === 'aggregate' || commandName === 'find') reads += 1;
  };
  client.on('commandStarted', count);
  const result = await work();
  client.off('commandStarted', count);
  return { result, reads };
}

test('keys and tokens that wait together are read in one query, each with its own user', async () => {
  const authenticate = createAuthenticate(services);
  const { admin, reader } = services.users;
  await authenticate(`Bearer ${text}`);
  const bearers = [admin.token, text, reader.token, text];
  const { result, reads } = await readsOf(() => Promise.all(bearers.map((each) => authenticate(`Bearer ${each}`))));
  expect(result.map(({ username }) => username)).toEqual(['admin@test', 'Key', 'reader@test', 'Key']);
  expect(result.map(({ versions }) => versions !== undefined)).toEqual([true, true, true, true]);
  expect([0, 1]).toContain(reads);
});

test('a wrong key is refused, and keys that wait with it are accepted', async () => {
  const authenticate = createAuthenticate(services);
  const { admin } = services.users;
  const { userId, org, sessionId = userId } = admin.principal;
  const forged = [id, userId, org, sessionId, new ObjectId()].map((each) => makeApiKeyText(each).text);
  const malformed = [`${text}0`, text.slice(0, -1), text.replace('lk_', 'lk-')];
  const bearers = [admin.token, ...forged, text, ...malformed];
  const answers = await Promise.allSettled(bearers.map((each) => authenticate(`Bearer ${each}`)));
  const isGood = (each: string) => each === admin.token || each === text;
  expect(answers.map(({ status }) => status)).toEqual(bearers.map((each) => (isGood(each) ? 'fulfilled' : 'rejected')));
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 1120, status: 401 });
  }
});

test('a key that could not be marked as used is not refused', async () => {
  const authenticate = createAuthenticate({ ...services, clock: { now: () => new Date('2030-01-01') } });
  await services.db.collection(apiKeyResource.path).updateOne({ _id: id }, { $unset: { lastUsedAt: 1 } });
  expect((await authenticate(`Bearer ${text}`)).username).toBe('Key');
});

test('permissions that the service does not have any more give nothing', async () => {
  const permissions = ['vouchers:read', 'members:read'];
  await collectionOf(services.db, apiKeyResource).updateOne({ _id: id }, { $set: { permissions, roles: [] } });
  const { permissions: current } = await createAuthenticate(services)(`Bearer ${text}`);
  expect([...current]).toEqual(['members:read']);
});
