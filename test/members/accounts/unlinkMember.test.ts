import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { unlinkMember } from '#members/accounts/unlinkMember';
import { type Account, accountResource } from '#records/members/account';
import { openTestServices, type TestServices } from '../../support/services';

const now = new Date('2026-03-01T10:00:00.000Z');

let services: TestServices;
let author: Author;

beforeAll(async () => {
  services = await openTestServices();
  author = services.users.client.principal;
});

afterAll(() => services.close());

const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());

const three = (): [ObjectId, ObjectId, ObjectId] => [new ObjectId(), new ObjectId(), new ObjectId()];

async function storeAccount(members: ObjectId[], activeMember = members[0]): Promise<Account> {
  const account: Account = {
    ...newStamps(author, new Date('2026-01-01T00:00:00.000Z')),
    members: members.map((member) => ({ member, program: new ObjectId() })),
    ...(activeMember ? { activeMember } : {}),
    version: 1,
  };
  await collectionOf(services.db, accountResource).insertOne(account);
  return account;
}

const read = ({ _id }: Account) => collectionOf(services.db, accountResource).findOne({ _id });

const memberIds = (account: Account | null) => account?.members.map(({ member }) => member);

describe('unlinkMember', () => {
  test.each([1, 2])('removes an account of %i', async (size) => {
    const members = ids(size);
    const account = await storeAccount(members);

    await unlinkMember(services.db, author, members.at(-1) ?? new ObjectId(), now);

    expect(await read(account)).toBeNull();
  });

  test('takes one of three out and leaves the active member as it is', async () => {
    const [a, b, c] = three();
    const account = await storeAccount([a, b, c], a);

    await unlinkMember(services.db, author, b, now);

    const left = await read(account);
    expect(memberIds(left)).toEqual([a, c]);
    expect(left).toMatchObject({ activeMember: a, version: 2, updatedAt: now, updatedBy: author.userId });
  });

  test('hands the active role to the first of the rest', async () => {
    const [a, b, c] = three();
    const account = await storeAccount([a, b, c], a);

    await unlinkMember(services.db, author, a, now);

    expect(await read(account)).toMatchObject({ activeMember: b });
  });

  test("does not touch another org's account and answers 404", async () => {
    const [a, b] = three();
    const account = await storeAccount([a, b]);
    const stranger = { org: new ObjectId(), userId: new ObjectId() };

    await expect(unlinkMember(services.db, stranger, a, now)).rejects.toMatchObject({ code: 1500, status: 404 });

    expect(memberIds(await read(account))).toEqual([a, b]);
  });

  test('removes the account once when all members are unlinked at once', async () => {
    const members = ids(12);
    const account = await storeAccount(members);

    const attempts = await Promise.allSettled(members.map((member) => unlinkMember(services.db, author, member, now)));

    // Unlinking one of the last two members removes the account, so the second request finds no account.
    expect(await read(account)).toBeNull();
    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ code: 1500 });
  });

  test('removes a member once when it is unlinked ten times at once', async () => {
    const [a, b, c] = three();
    const account = await storeAccount([a, b, c]);

    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, () => unlinkMember(services.db, author, a, now)),
    );

    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(memberIds(await read(account))).toEqual([b, c]);
  });
});
