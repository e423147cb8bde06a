import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { type Author, derivedId } from '#base/db/records';
import { createMember } from '#members/members/createMember';
import { memberResource } from '#records/members/member';
import type { Program } from '#records/programs/program';
import { makePolicy, makeProgram } from '../../support/definitions';
import { makeTestOrg, openTestServices, type TestServices } from '../../support/services';

const now = new Date('2026-03-01T10:00:00.000Z');

let services: TestServices;
let author: Author;
let program: Program;

beforeAll(async () => {
  services = await openTestServices();
  author = services.users.client.principal;
  program = await makeProgram(services.db, author);
});

afterAll(() => services.close());

describe('createMember', () => {
  test('makes codes, an active status and a purse at zero for every policy of the program', async () => {
    const points = await makePolicy(services.db, author, program, { name: 'Points', primary: true });
    const bonus = await makePolicy(services.db, author, program, { name: 'Bonus', overdraftLimit: 50 });
    const other = await makeProgram(services.db, author);
    await makePolicy(services.db, author, other);

    const member = await createMember(services, author, { program: program._id }, now);

    expect(member.loyaltyID).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(member).toMatchObject({ status: 'Active', type: 'Individual', version: 1, seq: 0, enrolledAt: now });
    expect(member.loyaltyIDs).toEqual([member.loyaltyID]);
    expect(
      member.purses.map(({ _id, name, balance, overdraftLimit }) => ({ _id, name, balance, overdraftLimit })),
    ).toEqual([
      { _id: derivedId('purse', member._id, points._id), name: 'Points', balance: 0, overdraftLimit: 0 },
      { _id: derivedId('purse', member._id, bonus._id), name: 'Bonus', balance: 0, overdraftLimit: 50 },
    ]);
    const stored = await collectionOf(services.db, memberResource).findOne({ _id: member._id });
    expect(stored).toEqual(member);
  });

  test('makes codes that differ from member to member', async () => {
    const members = await Promise.all(
      Array.from({ length: 50 }, () => createMember(services, author, { program: program._id }, now)),
    );

    expect(new Set(members.map(({ loyaltyID }) => loyaltyID)).size).toBe(50);
    expect(new Set(members.map(({ referralCode }) => referralCode)).size).toBe(50);
  });

  test('refuses a program of another org and an unknown referrer, naming both', async () => {
    const { users } = await makeTestOrg(services, 'neighbour');
    const foreign = await makeProgram(services.db, users.admin.principal);

    const attempt = createMember(services, author, { program: foreign._id, referredBy: new ObjectId() }, now);

    await expect(attempt).rejects.toMatchObject({
      status: 422,
      details: {
        errors: [
          { path: 'program', kind: 'reference' },
          { path: 'referredBy', kind: 'reference' },
        ],
      },
    });
  });

  test('gives one loyaltyID to exactly one of many members at once', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        createMember(services, author, { program: program._id, loyaltyID: 'GOLD-1' }, now),
      ),
    );

    const refused = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(refused).toHaveLength(19);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 1200, details: { errors: [{ path: 'loyaltyID', kind: 'unique' }] } });
    }
  });

  test('lets two orgs use one loyaltyID', async () => {
    const { users } = await makeTestOrg(services, 'other');
    const theirs = await makeProgram(services.db, users.admin.principal);
    await createMember(services, author, { program: program._id, loyaltyID: 'SAME' }, now);

    const member = await createMember(services, users.admin.principal, { program: theirs._id, loyaltyID: 'SAME' }, now);

    expect(member.org).toEqual(users.admin.principal.org);
  });
});
