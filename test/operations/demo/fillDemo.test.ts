import { collectionOf } from '#base/db/collections';
import { fillDemo } from '#operations/demo/fillDemo';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { enumResource } from '#records/catalog/enumValue';
import { accountResource } from '#records/members/account';
import { memberResource } from '#records/members/member';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { type OrgStore, openStore, type TestOrg } from '../../publishing/rulesets/store';
import { makeProgram } from '../../support/definitions';

let stores: OrgStore;
let store: TestOrg & { ruleSets: RuleSets };
beforeAll(async () => {
  stores = await openStore();
});
beforeEach(async () => {
  const added = await stores.addOrg();
  store = { ...added, ruleSets: added.fresh() };
});
afterAll(() => stores.close());

async function counts() {
  const { db, org } = store;
  const all = [programResource, pursePolicyResource, enumResource, memberResource, accountResource];
  return Promise.all(
    all.map((resource) => collectionOf(db, resource as typeof programResource).countDocuments({ org: org._id })),
  );
}

test('an empty org gets a program with purses, values, members and a household', async () => {
  expect(await fillDemo(store, store.org)).toBe(true);
  expect(await counts()).toEqual([1, 2, 3, 3, 1]);
});

test('the members have both purses, Points first, at zero', async () => {
  await fillDemo(store, store.org);
  const member = await collectionOf(store.db, memberResource).findOne({ org: store.org._id, loyaltyID: 'L-1001' });
  expect(member?.purses.map(({ name, primary, balance }) => [name, primary, balance])).toEqual([
    ['Points', true, 0],
    ['Bonus Points', false, 0],
  ]);
});

test('a second fill changes nothing', async () => {
  await fillDemo(store, store.org);
  expect(await fillDemo(store, store.org)).toBe(false);
  expect(await counts()).toEqual([1, 2, 3, 3, 1]);
});

test('an org with a program of its own is left alone', async () => {
  await makeProgram(store.db, store.author);
  expect(await fillDemo(store, store.org)).toBe(false);
  expect(await counts()).toEqual([1, 0, 0, 0, 0]);
});

test('a record that was deleted from a filled demo does not come back', async () => {
  await fillDemo(store, store.org);
  await collectionOf(store.db, memberResource).deleteOne({ org: store.org._id, loyaltyID: 'L-1003' });
  expect(await fillDemo(store, store.org)).toBe(false);
});

test('an interrupted fill is completed by the next one', async () => {
  await fillDemo(store, store.org);
  await collectionOf(store.db, programResource).updateOne(
    { org: store.org._id },
    { $set: { ext: { demo: 'filling' } } },
  );
  await collectionOf(store.db, memberResource).deleteOne({ org: store.org._id, loyaltyID: 'L-1003' });
  await collectionOf(store.db, accountResource).deleteMany({ org: store.org._id });
  expect(await fillDemo(store, store.org)).toBe(true);
  expect(await counts()).toEqual([1, 2, 3, 3, 1]);
});

test('two processes that fill at once make one demo', async () => {
  await Promise.all([fillDemo(store, store.org), fillDemo(store, store.org), fillDemo(store, store.org)]);
  expect(await counts()).toEqual([1, 2, 3, 3, 1]);
});
