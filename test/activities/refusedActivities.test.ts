import type { ObjectId } from 'bson';
import { recordRefused } from '#activities/commit/recordRefused';
import { inTransaction } from '#base/db/transaction';
import { refusedActivityResource } from '#records/activities/refusedActivity';
import type { Services } from '#server/services/services';
import { importing } from '../exchange/imports/importing';
import { readsDuring } from '../support/profile';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;
let services: Services;
let count = 0;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
  services = world.services;
});
afterAll(() => world.close());

const nobody = '0123456789abcdef01234567';
const next = () => {
  count += 1;
  return { card: `CARD-${count}`, externalTxnId: `REF-${count}` };
};
/** What support finds with a filter. */
async function found(filter: Record<string, unknown>) {
  const query = encodeURIComponent(JSON.stringify(filter));
  const { status, body } = await world.server.as('reader').get(`/refusedactivities?query=${query}`);
  expect(status).toBe(200);
  return body as Record<string, unknown>[];
}
const comes = (loyaltyID: string) =>
  importing(world).imported({ kind: 'members', content: `loyaltyID,program\n${loyaltyID},main\n` });

const ways: Record<string, (body: object) => Promise<string>> = {
  async: async (body) => (await acting.post(body as never, '?async=true')).body.submission,
  bulk: async (body) =>
    (await world.server.as('client').post('/activities/bulk?async=true', [body])).body[0].submission,
};

/** What an activity may name that is not there. */
const strangers: Record<string, (card: string) => Record<string, unknown>> = {
  'a card': (card) => ({ type: 'Accrual', loyaltyID: card, value: 12 }),
  'a member': () => ({ type: 'Accrual', memberID: nobody, value: 12 }),
  'an original': () => ({ type: 'Cancellation', originalTxnId: nobody }),
};

describe.each(Object.entries(ways))('an activity that is posted by %s and refused later', (_way, post) => {
  test.each(Object.entries(strangers))(
    'is found by everything that a user may know when it names %s of no member',
    async (_what, of) => {
      const { card, externalTxnId } = next();
      const sent = of(card);
      const id = await post({ ...sent, externalTxnId });
      await acting.drain();
      const known = [
        { externalTxnId },
        { _id: id },
        ...(sent.loyaltyID ? [{ loyaltyID: card }] : []),
        { externalTxnId, 'errors.code': 1500 },
      ];
      for (const filter of known) {
        const rows = await found(filter);
        expect(rows).toMatchObject([{ _id: id, ...sent, externalTxnId, errors: [{ code: 1500, status: 404 }] }]);
      }
      const { status, body } = await world.server.as('reader').get(`/refusedactivities/${id}`);
      expect([status, body.externalTxnId]).toEqual([200, externalTxnId]);
      expect((await world.server.as('client').get(`/activity/status/${externalTxnId}`)).body.status).toBe('Error');
    },
  );
});

test('a commit without refused activities sends nothing to their collection', async () => {
  const { _id } = await world.addMember();
  const touchedBy = async (work: () => Promise<unknown>) =>
    (await readsDuring(services.db, work)).map(({ collection }) => collection);
  const processed = await touchedBy(() => acting.processed('Accrual', _id, { value: 1 }));
  expect(processed).toContain('members');
  expect(processed).not.toContain(refusedActivityResource.path);
  const refused = await touchedBy(async () => {
    await ways.async?.({ type: 'Accrual', loyaltyID: next().card, value: 1 });
    await acting.drain();
  });
  expect(refused).toContain(refusedActivityResource.path);
});

test('a number and a card are found in every form of Unicode', async () => {
  const [card, externalTxnId] = ['CAFE\u0301-9', 'RE\u0301F-9'];
  await ways.async?.({ type: 'Accrual', loyaltyID: card, value: 12, externalTxnId });
  await acting.drain();
  for (const form of ['NFC', 'NFD'] as const) {
    expect(await found({ loyaltyID: card.normalize(form) })).toHaveLength(1);
    expect(await found({ externalTxnId: externalTxnId.normalize(form) })).toHaveLength(1);
  }
});

test('a refused activity stays visible when its number counts later, and is no duplicate', async () => {
  const { card, externalTxnId } = next();
  const body = { type: 'Accrual', loyaltyID: card, value: 40, externalTxnId };
  for (const _again of [1, 2]) {
    await ways.async?.(body);
    await acting.drain();
  }
  await comes(card);
  const id = await ways.async?.(body);
  await acting.drain();
  const rows = await found({ externalTxnId });
  expect(rows).toHaveLength(2);
  expect(rows.map(({ _id }) => _id)).not.toContain(id);
  const answer = await world.server.as('client').get(`/activity/status/${externalTxnId}`);
  expect(answer.body).toMatchObject({ status: 'Processed', activityId: id });
});

test('erasing a member deletes the refused activities that name it, by its card or its id', async () => {
  const { card, externalTxnId } = next();
  await ways.async?.({ type: 'Accrual', loyaltyID: card, value: 40, externalTxnId });
  await acting.drain();
  await comes(card);
  const member = await services.db.collection('members').findOne({ loyaltyID: card });
  const cancel = { type: 'Cancellation', originalTxnId: nobody, loyaltyID: card, externalTxnId: `${externalTxnId}-c` };
  await ways.async?.(cancel);
  await ways.async?.({ type: 'Accrual', memberID: nobody, externalTxnId: `${externalTxnId}-other`, value: 4 });
  await acting.drain();
  expect(await found({ loyaltyID: card })).toHaveLength(2);
  expect((await world.server.as('admin').delete(`/members/${member?._id}`)).status).toBeLessThan(300);
  expect(await found({ loyaltyID: card })).toEqual([]);
  expect(await found({ externalTxnId: `${externalTxnId}-other` })).toHaveLength(1);
});

describe('rows of an import that were accepted and fail later', () => {
  const imports = () => importing(world);
  const errorsOf = async (id: string) => (await world.server.as('admin').get(`/imports/${id}/errors`)).body as string;
  const countsOf = async (id: string) => (await world.server.as('admin').get(`/imports/${id}`)).body;

  test.each(['csv', 'ndjson'] as const)('are among its failed rows, each with its reason, as %s', async (format) => {
    const [gone, poor, good] = [next(), next(), next()];
    for (const { card } of [gone, poor, good]) await comes(card);
    const rows = [
      { externalTxnId: gone.externalTxnId, type: 'Accrual', loyaltyID: gone.card, value: 40 },
      { externalTxnId: poor.externalTxnId, type: 'Redemption', loyaltyID: poor.card, value: 5000 },
      { externalTxnId: good.externalTxnId, type: 'Accrual', loyaltyID: good.card, value: 40 },
      // These are refused at once.
      ...[1, 2].map((n) => ({
        externalTxnId: `${good.externalTxnId}-${n}`,
        type: 'Accrual',
        loyaltyID: 'NONE',
        value: 1,
      })),
    ];
    const csv = ['externalTxnId,type,loyaltyID,value', ...rows.map((row) => Object.values(row).join())].join('\n');
    const content = format === 'csv' ? csv : rows.map((row) => JSON.stringify(row)).join('\n');
    const { id, counts } = await imports().imported({ kind: 'activities', format, content });
    expect(counts).toMatchObject({ rows: 5, created: 3, failed: 2 });
    // Its card is given to somebody else's account before the rows are processed.
    await services.db
      .collection('members')
      .updateOne(
        { loyaltyID: gone.card },
        { $set: { loyaltyID: `${gone.card}-moved`, loyaltyIDs: [`${gone.card}-moved`] } },
      );
    await acting.drain();
    expect(await countsOf(id)).toMatchObject({ rows: 5, created: 1, updated: 0, unchanged: 0, failed: 4 });
    const failed = await errorsOf(id);
    expect(failed).toMatch(new RegExp(`${gone.externalTxnId}`));
    expect(failed).toContain(poor.externalTxnId);
    expect(failed).not.toMatch(new RegExp(`${good.externalTxnId}[",]`));
    expect(failed).toContain('(1500)');
    expect(failed).toMatch(/Member not found/);
    expect(await found({ import: id })).toMatchObject([{ loyaltyID: gone.card, line: format === 'csv' ? 2 : 1 }]);
    // The file of failed rows can be imported as it is: the refused number counts now, the other one has been used.
    await comes(gone.card);
    const again = await imports().imported({ kind: 'activities', format, content: failed });
    expect(again.counts).toMatchObject({ rows: 4, created: 1, unchanged: 1, failed: 2 });
    await acting.drain();
    const answer = await world.server.as('client').get(`/activity/status/${gone.externalTxnId}`);
    expect(answer.body.status).toBe('Processed');
  });

  test('are counted once, also when a row is accepted and refused twice', async () => {
    const { card, externalTxnId } = next();
    await comes(card);
    const content = `externalTxnId,type,loyaltyID,value\n${externalTxnId},Accrual,${card},40\n`;
    const { id } = await imports().imported({ kind: 'activities', content });
    const submission = await services.db.collection('submissions').findOne({ key: externalTxnId });
    const { activity, row } = (submission?.request ?? {}) as { activity: never; row: never };
    const author = { org: world.author.org, userId: world.author.userId };
    const errors = [{ code: 1500, message: 'Member not found', status: 404 }];
    const refused = [{ id: submission?._id as ObjectId, key: externalTxnId, errors, activity, author, row }];
    const now = services.clock.now();
    const refusals = { org: author.org, now, refused, failedRows: [{ author, row, errors }] };
    for (const _time of [1, 2])
      await inTransaction(services.db, (session) => recordRefused(services.db, session, refusals));
    expect(await countsOf(id)).toMatchObject({ rows: 1, created: 0, failed: 1 });
    expect((await errorsOf(id)).trim().split('\n')).toHaveLength(2);
    expect(await found({ externalTxnId })).toHaveLength(1);
  });
});
