// What the types of the client in clients/typescript promise. .ci/clients compiles it; the till runs what reads.
import { type LoyaltyClient, pages, result, verifyWebhook } from './generated/loyaltyClient';

/** A post that waits has a result; a submission has a status. */
async function post(client: LoyaltyClient): Promise<string> {
  const body = { type: 'Accrual', loyaltyID: 'L-1001', srcChannelType: 'POS', value: 120 };
  const answer = await result(client.POST('/api/v1/activity', { body }));
  const query = { explain: true, persist: false };
  const tried = await result(client.POST('/api/v1/activity', { params: { query }, body }));
  const path = { id: answer.result.data?.activityId ?? '' };
  const cancelled = await result(
    client.POST('/api/v1/activity/{id}/cancel', { params: { path }, body: { value: 20 } }),
  );
  const queued = await result(client.POST('/api/v1/activity', { params: { query: { async: true } }, body }));
  if ('result' in queued) return queued.result.data?.status ?? '';
  // @ts-expect-error a post needs a type
  await client.POST('/api/v1/activity', { body: { loyaltyID: 'L-1001' } });
  return [tried.result.data?.status, cancelled.result.data?.status, queued.status].join();
}

/** What has a default may be left out. */
async function create(client: LoyaltyClient, program: string): Promise<string> {
  const events = ['points.earned' as const];
  const webhook = await result(client.POST('/api/v1/webhooks', { body: { url: 'https://example.com/x', events } }));
  await client.POST('/api/v1/programs', { body: { code: 'demo', name: 'Demo' } });
  await client.POST('/api/v1/members', { body: { program, loyaltyID: 'L-1' } });
  // @ts-expect-error a webhook needs a URL
  await client.POST('/api/v1/webhooks', { body: { events } });
  return `${webhook.status} ${webhook.secret}`;
}

/** Fields are filters, and lists of words may be a text. */
async function read(client: LoyaltyClient): Promise<number> {
  const [program] = await result(client.GET('/api/v1/programs', { params: { query: { code: 'demo' } } }));
  const query = { program: program?._id ?? '', status: 'Active', 'purses.balance': '>=100', limit: 10 };
  const members = await result(client.GET('/api/v1/members', { params: { query } }));
  const { count } = await result(client.GET('/api/v1/members/count', { params: { query: { firstName: '~ada' } } }));
  await client.GET('/api/v1/activityhistories', {
    params: { query: { sort: '-createdAt', select: ['type', 'value'] } },
  });
  // @ts-expect-error a name is compared with a value, not with a list
  await client.GET('/api/v1/programs', { params: { query: { name: ['Demo'] } } });
  // @ts-expect-error the statement takes no filters
  await client.GET('/api/v1/members/{id}/statement', { params: { path: { id: '' }, query: { points: 5 } } });
  return members.length + count;
}

/** The lines of the client's README. */
async function readPages(client: LoyaltyClient): Promise<string[]> {
  const ids: string[] = [];
  for await (const member of pages((query) => client.GET('/api/v1/members', { params: { query } })))
    ids.push(member._id);
  for await (const { _id } of pages((query) =>
    client.GET('/api/v1/members', { params: { query: { ...query, limit: 500 } } }),
  ))
    ids.push(_id);
  return ids;
}

/** The type of an event tells what its data has; member and program may be null. */
function receive(body: string): string {
  const event = verifyWebhook('whsec_', {}, body);
  const member: string | null = event.member;
  if (event.type === 'points.earned') return `${member} ${event.data.points}`;
  return event.type === 'webhook.test' ? 'a test' : event.type;
}

/** A file is sent as it is, and an export read as text or as a stream. */
async function files(client: LoyaltyClient, csv: string): Promise<string> {
  const params = { query: { kind: 'members' as const } };
  const headers = { 'Content-Type': 'text/csv' };
  const job = await result(
    client.POST('/api/v1/imports', { params, headers, body: csv, bodySerializer: (file) => file }),
  );
  const path = { id: job._id };
  await result(client.GET('/api/v1/imports/{id}/errors', { params: { path }, parseAs: 'text' }));
  await result(client.GET('/api/v1/exports', { params, parseAs: 'stream' }));
  return result(client.GET('/api/v1/exports', { params, parseAs: 'text' }));
}

/** What one does with the client. */
export const uses = { post, create, read, readPages, receive, files };
