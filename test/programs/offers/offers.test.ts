import type { Client } from '../../support/client';
import { makePolicy, makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let manager: Client;
let program: string;

beforeAll(async () => {
  server = await openTestServer();
  const { db, users } = server.services;
  const author = users.admin.principal;
  manager = server.as('program-manager');
  const made = await makeProgram(db, author);
  program = made._id.toHexString();
  await makePolicy(db, author, made);
  await makePolicy(db, author, await makeProgram(db, author), { name: 'Miles' });
});
afterAll(() => server.close());

let named = 0;
const fresh = (fields: object) => {
  named += 1;
  return { code: `C${named}`, name: 'Offer', program, ...fields };
};

describe.each(['offers', 'rewards'])('%s', (path) => {
  test.each([
    [{ type: 'amount', value: 250 }],
    [{ type: 'percent', value: 12.5, max: 1000 }],
    [{ type: 'percent', value: 100 }],
    [{ type: 'points', value: 50 }],
    [{ type: 'multiplier', value: 1.5 }],
  ])('take the discount %j', async (discount) => {
    expect(await manager.post(`/${path}`, fresh({ discount }))).toMatchObject({ status: 201, body: { discount } });
  });

  test.each([
    [{ type: 'amount', value: 2.5 }, ['discount.value type']],
    [{ type: 'amount', value: 0 }, ['discount.value exclusiveMinimum']],
    [{ type: 'percent', value: 100.1 }, ['discount.value maximum']],
    [{ type: 'points', value: -1 }, ['discount.value exclusiveMinimum']],
    [{ type: 'multiplier', value: 1001 }, ['discount.value maximum']],
    [{ type: 'gift', value: 1 }, ['discount.type enum']],
    [{ type: 'amount' }, ['discount.value required']],
    [{ type: 'percent', value: 5, max: -1 }, ['discount.max minimum']],
  ])('refuse the discount %j, at creation and later', async (discount, expected) => {
    const { body } = await manager.post(`/${path}`, fresh({}));
    const answers = [
      await manager.post(`/${path}`, fresh({ discount })),
      await manager.put(`/${path}/${body._id}`, { discount }),
    ];
    for (const answer of answers) expect(refusals(answer)).toEqual(expected);
  });

  test.each([
    [{ effective: { from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' } }, ['effective.to date']],
    [{ uses: { total: -1 } }, ['uses.total minimum']],
    [{ uses: { each: 1 } }, ['uses.each additionalProperties']],
    [{ priority: -1 }, ['priority minimum']],
  ])('refuse %j', async (fields, expected) => {
    expect(refusals(await manager.post(`/${path}`, fresh(fields)))).toEqual(expected);
  });
});

describe('the cost of a reward', () => {
  test('is in a purse of its program', async () => {
    const cost = { purse: 'Points', points: 500 };
    const created = await manager.post('/rewards', fresh({ cost }));
    expect(created).toMatchObject({ status: 201, body: { cost } });

    for (const purse of ['Miles', 'Nothing']) {
      const unknown = { cost: { purse, points: 1 } };
      expect(refusals(await manager.post('/rewards', fresh(unknown)))).toEqual(['cost.purse reference']);
      expect(refusals(await manager.put(`/rewards/${created.body._id}`, unknown))).toEqual(['cost.purse reference']);
    }
  });

  test('is whole points, and no field of an offer', async () => {
    const half = await manager.post('/rewards', fresh({ cost: { purse: 'Points', points: 1.5 } }));
    expect(refusals(half)).toEqual(['cost.points type']);
    const offer = await manager.post('/offers', fresh({ cost: { purse: 'Points', points: 1 } }));
    expect(refusals(offer)).toEqual(['cost additionalProperties']);
  });
});
