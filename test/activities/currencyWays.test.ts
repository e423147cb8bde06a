import type { Member } from '#records/members/member';
import { importing } from '../exchange/imports/importing';
import { earnRule, openWorld, type World } from '../support/world';
import { activityApi } from './activityApi';

let world: World;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule], program: { currencyCode: 'USD' } });
  member = await world.addMember({ loyaltyID: 'L' });
});
afterAll(() => world.close());

const admin = () => world.server.as('ledger-admin');
const points = async () => Number((await activityApi(world).purse(member._id)).balance);
let posted = 0;
const purchase = (currencyCode: string) => {
  posted += 1;
  return { externalTxnId: `w${posted}`, type: 'Accrual', loyaltyID: 'L', value: 5, currencyCode };
};

/** Drains, and says why the activity with a number was refused; an empty text when it was not. */
async function endOf(externalTxnId: string): Promise<string> {
  await activityApi(world).drain();
  const { body } = await admin().get(`/activity/status/${externalTxnId}`);
  expect(body.status).toMatch(/^(Processed|Error)$/);
  return body.status === 'Processed' ? '' : JSON.stringify(body.result.errors);
}

async function original(): Promise<string> {
  const { body } = await admin().post('/activity', purchase('USD'));
  return body.result.data.activityId;
}

const refusal = ({ status, body }: { status: number; body: unknown }) => (status === 422 ? JSON.stringify(body) : '');

async function imported(
  format: 'csv' | 'ndjson',
  { currencyCode, ...row }: ReturnType<typeof purchase>,
  isConstant = false,
) {
  const sent = isConstant ? row : { ...row, currencyCode };
  const csv = [Object.keys(sent).join(), Object.values(sent).join()].join('\n');
  const content = format === 'csv' ? csv : JSON.stringify(sent);
  const query = isConstant ? `&set[currencyCode]=${currencyCode}` : '';
  const { status, body } = await importing(world).post({ kind: `activities${query}`, format, content });
  expect(status).toBe(202);
  await importing(world).run();
  const end = await endOf(row.externalTxnId);
  const errors = await world.services.db.collection('importerrors').find({ row: 0 }).sort({ _id: -1 }).toArray();
  const own = errors.filter((each) => String(each.import) === body._id);
  expect(own.map((each) => each.errors[0].path)).toEqual(end === '' ? [] : ['currencyCode']);
  return end;
}

/** What a check of rules says of a test of a rule. */
async function checked(test: object): Promise<string> {
  const text = JSON.stringify({ ...earnRule, tests: [{ name: 'a purchase', ...test }] });
  const { body } = await admin().post('/rules/check', { files: [{ path: 'main/earn.json', text }] });
  return [...body.errors, ...body.warnings].map(({ message }) => message).join();
}

const activity = (currencyCode: string) => ({ type: 'Accrual', value: 5, currencyCode });

/** Every way in which an activity comes, or is tried. Each answers why it was refused; an empty text when it was not. */
const ways: Record<string, (currencyCode: string) => Promise<string>> = {
  'a post': async (code) => refusal(await admin().post('/activity', purchase(code))),
  'a dry run': async (code) => refusal(await admin().post('/activity?persist=false', purchase(code))),
  'a post for later': async (code) => {
    const sent = purchase(code);
    await admin().post('/activity?async=true', sent);
    return endOf(sent.externalTxnId);
  },
  'a bulk post': async (code) => {
    const sent = purchase(code);
    await admin().post('/activities/bulk?async=true', [sent]);
    return endOf(sent.externalTxnId);
  },
  'a CSV import': (code) => imported('csv', purchase(code)),
  'an NDJSON import': (code) => imported('ndjson', purchase(code)),
  'a constant of an import': (code) => imported('csv', purchase(code), true),
  'a posted cancellation': async (code) =>
    refusal(
      await admin().post('/activity', { type: 'Cancellation', originalTxnId: await original(), currencyCode: code }),
    ),
  'a cancel': async (code) =>
    refusal(await admin().post(`/activity/${await original()}/cancel`, { currencyCode: code })),
  'a cancel for later': async (code) => {
    const { externalTxnId } = purchase(code);
    await admin().post(`/activity/${await original()}/cancel?async=true`, { currencyCode: code, externalTxnId });
    return endOf(externalTxnId);
  },
  'a cancel of a query': async (code) => {
    const query = encodeURIComponent(JSON.stringify({ _id: await original() }));
    const { body } = await admin().post(`/activity/query/cancel?query=${query}`, { currencyCode: code });
    return body
      .map(({ result }: { result: { errors: object[] } }) => result.errors.map((each) => JSON.stringify(each)))
      .join();
  },
  'the test of a rule': (code) => checked({ activity: activity(code), expect: { points: { Points: 5 } } }),
  'the activities of a test': (code) => checked({ activities: [activity(code)], expect: { points: { Points: 5 } } }),
  'a step of a test': (code) => checked({ steps: [{ activity: activity(code) }], expect: { points: { Points: 5 } } }),
};

describe.each(Object.entries(ways))('%s', (_way, refusedBy) => {
  test.each(['EUR', 'JPY', 'KWD'])('in %s is refused where the amounts are in USD, and gives nothing', async (code) => {
    // What was bought to be cancelled gives its points; nothing else does.
    const before = (await points()) - (await bought());
    expect(await refusedBy(code)).toContain('the amounts of program main are in USD');
    expect((await points()) - (await bought())).toBe(before);
  });

  test('in USD is accepted', async () => {
    expect(await refusedBy('USD')).toBe('');
  });
});

/** The points of all purchases that stand, by their amounts. */
async function bought(): Promise<number> {
  const query = encodeURIComponent(JSON.stringify({ type: 'Accrual', status: 'Processed', currencyCode: 'USD' }));
  const { body } = await admin().get(`/activityhistories?query=${query}&limit=1000`);
  return body.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
}
