import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import type { Member } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let member: Member;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  member = await world.addMember({ loyaltyID: 'M-1' });
  imports = importing(world);
});
afterAll(() => world.close());

const counts = (some: object) => ({ rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, ...some });
const agrees = async () =>
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
const csv = (...lines: string[]) => lines.join('\n');
const faultsIn = (errors: string) => errors.trim().split('\n').slice(1);

test('accrual items are added once, with their dates', async () => {
  const content = csv(
    'externalId,loyaltyID,purse,accruedPoints,dtEarned,dtExpiresOn,ext',
    'I-1,M-1,Points,100,2026-01-01T00:00:00.000Z,2099-01-01T00:00:00.000Z,"{""from"":""old""}"',
    'I-2,M-1,Points,7,,,',
    'I-1,M-1,Points,100,2026-01-01T00:00:00.000Z,,',
    'I-3,M-1,Nothing,7,,,',
    'I-4,nobody,Points,7,,,',
    ',M-1,Points,7,,,',
    'I-5,M-1,Points,7,2026-01-02T00:00:00Z,2026-01-01T00:00:00Z,',
  );
  const first = await imports.imported({ kind: 'accrualitems', content });
  expect(first).toMatchObject({ end: 'Done', counts: counts({ rows: 7, created: 2, unchanged: 1, failed: 4 }) });
  const items = await collectionOf(world.services.db, accrualItemResource).find({ member: member._id }).toArray();
  expect(items).toMatchObject([
    { externalId: 'I-1', accruedPoints: 100, dtEarned: new Date('2026-01-01'), ext: { from: 'old' } },
    { externalId: 'I-2', accruedPoints: 7 },
  ]);
  expect(faultsIn(first.errors)).toEqual([
    expect.stringMatching(/^5,purse must be an id/),
    expect.stringMatching(/^6,"member must be an id/),
    expect.stringMatching(/^7,"externalId is required/),
    expect.stringMatching(/^8,dtExpiresOn must be after dtEscrowsOn/),
  ]);
  const again = await imports.imported({ kind: 'accrualitems', content });
  expect(again.counts).toEqual(counts({ rows: 7, unchanged: 3, failed: 4 }));
  const other = await imports.imported({
    kind: 'accrualitems',
    content: csv('externalId,member,purse,accruedPoints', `I-1,${member._id},${world.policies[0]?._id},101`),
  });
  expect(faultsIn(other.errors)).toEqual([expect.stringMatching(/^2,accruedPoints differs from the item/)]);
  await agrees();
});

test('an export of accrual items is imported without a change', async () => {
  const { body } = await world.server.as('ledger-admin').get('/exports?kind=accrualitems');
  const { counts: counted } = await imports.imported({ kind: 'accrualitems', content: body });
  expect(counted).toEqual(counts({ rows: 2, unchanged: 2 }));
});

test('activities are accepted once, and processed as posts are', async () => {
  const content = csv(
    'externalTxnId,type,loyaltyID,value,date,lineItems',
    'T-1,Accrual,M-1,50,2026-01-05T10:00:00Z,"[{""itemSKU"":""tea"",""quantity"":1,""itemPrice"":50}]"',
    'T-2,Accrual,M-1,20,,',
    'T-3,Nothing,M-1,20,,',
    ',Accrual,M-1,20,,',
    'T-4,Accrual,M-1,much,,',
  );
  const first = await imports.imported({ kind: 'activities', content, role: 'ledger-admin' });
  expect(first.counts).toEqual(counts({ rows: 5, created: 2, failed: 3 }));
  await activityApi(world).drain();
  const status = async (id: string) => (await world.server.as('client').get(`/activity/status/${id}`)).body.status;
  expect([await status('T-1'), await status('T-2')]).toEqual(['Processed', 'Processed']);
  const again = await imports.imported({ kind: 'activities', content });
  expect(again.counts).toEqual(counts({ rows: 5, unchanged: 2, failed: 3 }));
  const changed = await imports.imported({ kind: 'activities', content: content.replace('M-1,20', 'M-1,21') });
  expect(faultsIn(changed.errors)[0]).toMatch(/^3,externalTxnId .*\(unique\)/);
  await agrees();
});

test.each([
  ['products', 'sku', 'category'],
  ['locations', 'number', 'name'],
])('%s are created and changed by their key', async (kind, key, field) => {
  const name = field === 'name' ? '' : 'Tea';
  const row = (id: string, value: string) => (name ? `${id},${name},${value}` : `${id},${value}`);
  const header = name ? `${key},name,${field}` : `${key},${field}`;
  const content = csv(header, row('K-1', 'one'), row('K-2', 'two'), row('', 'three'), row('K-1', 'one'));
  const manager = { kind, role: 'program-manager' } as const;
  const dry = await imports.imported({ ...manager, content, dryRun: true });
  expect((await world.server.as('admin').get(`/${kind}/count`)).body).toEqual({ count: 0 });
  expect(dry.counts).toMatchObject({ rows: 4, failed: 1 });
  const first = await imports.imported({ ...manager, content });
  expect(first.counts).toEqual(counts({ rows: 4, created: 2, unchanged: 1, failed: 1 }));
  const second = await imports.imported({ ...manager, content: content.replace('two', 'new') });
  expect(second.counts).toEqual(counts({ rows: 4, updated: 1, unchanged: 2, failed: 1 }));
  const { body } = await world.server.as('admin').get(`/exports?kind=${kind}`);
  const exported = await imports.imported({ ...manager, content: body });
  expect(exported.counts).toEqual(counts({ rows: 2, unchanged: 2 }));
  expect((await imports.post({ kind, content, role: 'reader' })).status).toBe(403);
});

test('imported coupons are codes of rewards for members, and each works once', async () => {
  const admin = world.server.as('ledger-admin');
  const discount = { type: 'points', value: 30 };
  await admin.post('/rewards', { code: 'CAKE', name: 'Cake', program: world.program._id, discount });
  const content = csv(
    'code,loyaltyID,reward,validUntil',
    'C-1,M-1,CAKE,2099-01-01T00:00:00Z',
    'C-2,M-1,NONE,',
    'C-3,nobody,CAKE,',
  );
  const first = await imports.imported({ kind: 'coupons', content });
  expect(first.counts).toEqual(counts({ rows: 3, created: 1, failed: 2 }));
  expect((await imports.imported({ kind: 'coupons', content })).counts).toMatchObject({ unchanged: 1, failed: 2 });
  const use = { type: 'Accrual', loyaltyID: 'M-1', value: 1, couponCode: 'C-1' };
  const used = await world.server.as('client').post('/activity', use);
  expect(used.body.result.data).toMatchObject({ status: 'Processed' });
  expect((await world.server.as('client').post('/activity', use)).body.result.errors[0].code).toBe(2500);
  const cancelled = await world.server.as('client').post(`/activity/${used.body.result.data.activityId}/cancel`, {});
  expect(cancelled.body.result.data.status).toBe('Processed');
  expect((await admin.get('/issuedrewards?code=C-1')).body).toMatchObject([{ status: 'Issued' }]);
  await agrees();
});

test.each([
  ['members', 'admin', 'client'],
  ['accrualitems', 'ledger-admin', 'admin'],
  ['activities', 'admin', 'program-manager'],
  ['coupons', 'ledger-admin', 'admin'],
] as const)('an import of %s needs the permissions of its single writes', async (kind, _may, mayNot) => {
  expect(await imports.post({ kind, content: 'x', role: mayNot })).toBeRefused(403, 1130);
});
