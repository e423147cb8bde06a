import { readFileSync } from 'node:fs';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { runJob } from '#operations/jobs/runJob';
import { type Member, memberResource } from '#records/members/member';
import { resources } from '#server/services/resources';
import { openWorld, type World } from '../../support/world';

/** The contract is a table of docs/design/members.md. What the words of a row mean is written here once more. */
const page = readFileSync('docs/design/members.md', 'utf8');

function tableAfter(heading: string): Map<string, string> {
  const text = page.slice(page.indexOf(heading));
  const rows = text.slice(0, text.indexOf('\n#', 5)).matchAll(/^\| (`[^|]+`) \| ([a-z ]+?) \|/gm);
  return new Map(
    [...rows].flatMap(([, names = '', word = '']) =>
      names.split(', ').map((name) => [name.slice(1, -1), word] as const),
    ),
  );
}

const fields = tableAfter('### Every field in a merge');
const references = tableAfter('### What names a merged member');

interface SchemaPart {
  'x-ref'?: string;
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  anyOf?: SchemaPart[];
  oneOf?: SchemaPart[];
}

function memberPaths(part: SchemaPart, at: string): string[] {
  return [
    ...(part['x-ref'] === 'Member' ? [at] : []),
    ...Object.entries(part.properties ?? {}).flatMap(([name, inner]) => memberPaths(inner, `${at}.${name}`)),
    ...[part.items ?? [], part.anyOf ?? [], part.oneOf ?? []].flat().flatMap((inner) => memberPaths(inner, at)),
  ];
}

let world: World;
beforeAll(async () => {
  const completes = { type: 'completeReferral', purse: 'Points', points: 5, referrerPoints: 10 };
  world = await openWorld({ rules: [{ key: 'refer', name: 'R', activityTypes: ['Accrual'], actions: [completes] }] });
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const members = () => collectionOf(world.services.db, memberResource);
const stored = async ({ _id }: Pick<Member, '_id'>) => {
  const found = await members().findOne({ _id });
  if (!found) throw new Error('no such member');
  return found;
};
/** A member whose stored fields are as given; its keys are made by an update through the API. */
async function member(set: Partial<Member> = {}): Promise<Member> {
  const made = await world.addMember();
  if (Object.keys(set).length > 0) await members().updateOne({ _id: made._id }, { $set: set });
  await world.server.as('client').patch(`/members/${made._id}`, { type: 'Individual' });
  return stored(made);
}
async function merge(survivor: Member, ...merged: Member[]) {
  const memberIds = merged.map(({ _id }) => _id);
  const { status, body } = await admin().post(`/members/${survivor._id}/merge`, { memberIds });
  expect([status, body.errors]).toEqual([200, undefined]);
  return stored(survivor);
}
const followUp = () => runJob(world.services, 'members', world.services.org._id);
const list = async (query: string) =>
  (await admin().get(`/members?${query}`)).body.map(({ _id }: { _id: string }) => _id);

const personOf = (n: number) => ({
  firstName: `Ann${n}`,
  lastName: `Lee${n}`,
  email: `ann${n}@example.com`,
  phone: `+49 151 1000000${n}`,
  birthDate: `199${n}-0${n}-1${n}`,
  address: { city: `City ${n}` },
  locale: ['de', 'en', 'fr'][n - 1] ?? 'it',
  enrollChannel: `Shop ${n}`,
});

test('the design page has a row for every field of a member and every reference to one', () => {
  expect([...fields.keys()].sort()).toEqual(Object.keys(memberResource.shape.properties).sort());
  const paths = resources.flatMap(({ path, shape }) =>
    memberPaths(shape as SchemaPart, path.replace(/^\w+aggregates$/, 'aggregates')),
  );
  expect([...references.keys()].sort()).toEqual([...new Set(paths)].sort());
});

const named = (word: string) => [...fields].filter(([, each]) => each === word).map(([field]) => field);

test('fields are filled from the first merged member that has them, and kept where there is one', async () => {
  const filled = named('filled');
  expect(filled.length).toBeGreaterThan(5);
  const others = await Promise.all([1, 2, 3].map(() => member()));
  const given = (n: number): Record<string, unknown> => {
    const other = others[n - 1]?._id;
    return Object.fromEntries(filled.map((field) => [field, Reflect.get(personOf(n), field) ?? other]));
  };
  const values = async (merging: Promise<Member>) => {
    const after = await merging;
    return Object.fromEntries(filled.map((field) => [field, Reflect.get(after, field)]));
  };
  // Half of the fields come from one member, the others from the next, which has all of them.
  const half = Object.fromEntries(Object.entries(given(2)).filter((_entry, index) => index % 2 === 0));
  const parts = [await member(), await member(half), await member(given(3))];
  expect(await values(merge(await member(), ...parts))).toEqual({ ...given(3), ...half });
  expect(await values(merge(await member(given(1)), await member(given(2))))).toEqual(given(1));
});

test('kept fields are unchanged', async () => {
  const survivor = await member({ type: 'Pooled', status: 'Suspended' });
  const after = await merge(survivor, await member({ enrolledAt: new Date('2001-01-01') }));
  const kept = named('kept');
  expect(kept.length).toBeGreaterThan(5);
  for (const field of kept) expect([field, Reflect.get(after, field)]).toEqual([field, Reflect.get(survivor, field)]);
});

test('joined lists have every element of all members once', async () => {
  const [one, two, three] = [new ObjectId(), new ObjectId(), new ObjectId()];
  const dates = [1, 2, 3].map((n) => new Date(`2026-01-0${n}`));
  const [d1 = new Date(), d2 = new Date(), d3 = new Date()] = dates;
  const survivor = await member();
  const merged = await member();
  await members().updateOne(
    { _id: survivor._id },
    {
      $set: {
        segments: [one, two],
        segmentDates: [
          { segment: one, since: d2 },
          { segment: two, since: d2 },
        ],
      },
    },
  );
  const brought = [
    { segment: two, since: d1 },
    { segment: three, since: d3 },
  ];
  await members().updateOne({ _id: merged._id }, { $set: { segments: [two, three], segmentDates: brought } });
  const after = await merge(survivor, merged);
  expect(after.segments).toEqual([one, two, three]);
  expect(after.segmentDates).toEqual([
    { segment: one, since: d2 },
    { segment: two, since: d1 },
    { segment: three, since: d3 },
  ]);
  expect(after.loyaltyIDs).toEqual([survivor.loyaltyID, merged.loyaltyID]);
  expect(after.mergeIds).toEqual([merged._id]);
});

test('extension fields are filled one by one', async () => {
  const survivor = await member({ ext: { size: 'M', pets: 0 } });
  const after = await merge(
    survivor,
    await member({ ext: { size: 'L', diet: 'none' } }),
    await member({ ext: { diet: 'vegan', club: true } }),
  );
  expect(after.ext).toEqual({ size: 'M', pets: 0, diet: 'none', club: true });
});

test('more segments than a member may have are refused, and nothing changes', async () => {
  const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());
  const [survivor, merged] = [await member({ segments: ids(150) }), await member({ segments: ids(51) })];
  const { status, body } = await admin().post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
  expect([status, body.errors[0].message]).toEqual([422, 'together have more than 200 segments']);
  expect(await stored(merged)).toEqual(merged);
});

describe('extension fields beyond their bound', () => {
  const values = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_unused, n) => [`${name}${n}`, n]));

  test('refuse the merge, which changes nothing', async () => {
    const [one, other] = [
      await member({ ext: values('a', 600) }),
      await member({ ext: { list: [...Array(401).keys()] } }),
    ];
    const { status, body } = await admin().post(`/members/${one._id}/merge`, { memberIds: [other._id] });
    const message = 'together have more than 1000 values in ext';
    expect([status, body.errors]).toMatchObject([422, [{ path: 'memberIds', kind: 'maxProperties', message }]]);
    expect([await stored(one), await stored(other)]).toEqual([one, other]);
  });

  test('are joined up to the bound, and a survivor above it merges members that add nothing', async () => {
    const [one, other] = [await member({ ext: values('a', 500) }), await member({ ext: values('b', 500) })];
    expect((await admin().post(`/members/${one._id}/merge`, { memberIds: [other._id] })).status).toBe(200);
    expect((await stored(one)).ext).toEqual({ ...values('a', 500), ...values('b', 500) });
    const [wide, plain] = [await member({ ext: values('a', 3000) }), await member({ ext: values('a', 10) })];
    expect((await admin().post(`/members/${wide._id}/merge`, { memberIds: [plain._id] })).status).toBe(200);
    expect((await stored(wide)).ext).toEqual(values('a', 3000));
  });
});

describe('the survivor is found', () => {
  test('by the e-mail and the phone of all, and not as the merged member', async () => {
    const [first, second, last] = [await member(personOf(4)), await member(personOf(5)), await member(personOf(6))];
    await merge(second, first);
    await merge(last, second);
    for (const n of [4, 5, 6]) {
      for (const query of [`email=ann${n}@example.com`, `phone=%2B49151 1000000${n}`, `search=ann${n}@example.com`])
        expect([query, await list(query)]).toEqual([query, [`${last._id}`]]);
    }
    expect(await list('firstName=Ann4')).toEqual([]);
    await world.server.as('client').patch(`/members/${last._id}`, { email: 'new@example.com' });
    expect(await list('email=ann4@example.com')).toEqual([`${last._id}`]);
    expect(await list('email=ann6@example.com')).toEqual([]);
    await admin().delete(`/members/${last._id}`);
    for (const n of [4, 5]) expect(await list(`email=ann${n}@example.com`)).toEqual([]);
  });

  test('and a merged member keeps no personal data', async () => {
    const merged = await member({ ...personOf(2), ext: { diet: 'vegan' }, segments: [new ObjectId()] });
    await merge(await member(personOf(1)), merged);
    const { body } = await admin().get(`/members?query=${encodeURIComponent(JSON.stringify({ _id: merged._id }))}`);
    expect(body[0]).toMatchObject({ status: 'Merged', segments: [], referrals: [] });
    const text = JSON.stringify([body, await stored(merged)]);
    for (const value of Object.values({ ...personOf(2), diet: 'vegan', city: 'City 2' })) {
      if (typeof value === 'string') expect(text).not.toContain(`"${value}"`);
    }
  });
});

describe('families', () => {
  test('nobody becomes its own head, and members of a merged head get the survivor', async () => {
    const grandmother = await member();
    const survivor = await member();
    const merged = await member({ familyHead: survivor._id });
    const third = await member({ familyHead: grandmother._id });
    const child = await member({ familyHead: merged._id });
    await members().updateOne({ _id: survivor._id }, { $set: { familyHead: merged._id } });
    const after = await merge(await stored(survivor), merged, third);
    expect(after.familyHead).toEqual(grandmother._id);
    await followUp();
    const { familyHead, version } = await stored(child);
    expect([familyHead, version]).toEqual([survivor._id, child.version + 1]);
    const alone = await merge(await member(), await member());
    expect(alone).not.toHaveProperty('familyHead');
  });
});

describe('referrals', () => {
  const join = async (referredBy: ObjectId) => {
    const { body } = await world.server.as('client').post('/members', { program: world.program._id, referredBy });
    return stored({ _id: new ObjectId(String(body._id)) });
  };
  const buy = (who: Member) =>
    world.server.as('client').post('/activity', { type: 'Accrual', memberID: who._id, value: 1 });
  const points = async (who: Member) => (await stored(who)).purses.reduce((sum, { balance }) => sum + balance, 0);

  test('a member that is merged with its referrer has neither a referral nor a referrer', async () => {
    for (const intoReferrer of [true, false]) {
      const referrer = await member();
      const referred = await join(referrer._id);
      const after = await (intoReferrer ? merge(referrer, referred) : merge(referred, referrer));
      expect([after.referrals, after.referredBy]).toEqual([[], undefined]);
      await buy(after);
      expect(await points(after)).toBe(0);
    }
  });

  test('the completed of two referrals stays, and the other is not Pending any more', async () => {
    const [late, early] = [await member(), await member()];
    const survivor = await join(late._id);
    const merged = await join(early._id);
    await buy(merged);
    const after = await merge(survivor, merged);
    expect(after.referredBy).toEqual(early._id);
    expect((await stored(late)).referrals).toEqual([]);
    expect((await stored(early)).referrals).toMatchObject([{ status: 'Completed', referred: survivor._id }]);
    await buy(after);
    expect([await points(late), await points(early)]).toEqual([0, 10]);
  });

  test('members that the merged one referred are referred by the survivor, and pay it', async () => {
    const [survivor, merged] = [await member(), await member()];
    const friend = await join(merged._id);
    const after = await merge(survivor, merged);
    expect(after.referrals).toMatchObject([{ status: 'Pending', referred: friend._id }]);
    await followUp();
    expect((await stored(friend)).referredBy).toEqual(survivor._id);
    await buy(friend);
    expect(await points(survivor)).toBe(10);
  });

  test('two members who refer each other are paid once, whichever buys first', async () => {
    for (const isOlderFirst of [true, false]) {
      const older = await member();
      const younger = await join(older._id);
      await world.server.as('client').patch(`/members/${older._id}`, { referredBy: younger._id });
      const [first, second] = isOlderFirst ? [older, younger] : [younger, older];
      await buy(first);
      await buy(second);
      expect([await points(first), await points(second)]).toEqual([5, 10]);
      const { body } = await buy(second);
      expect(JSON.stringify(body)).toContain('referred the referrer before');
    }
  });
});

const rawPaths = [...references].filter(
  ([path, word]) =>
    ['by the job', 'stays'].includes(word) && !/^(?:members|aggregates|metricevents|eventpages)\./.test(path),
);

test('after the job, every record has the member that the design page says', async () => {
  const [survivor, merged] = [await member(), await member()];
  expect(rawPaths.length).toBeGreaterThan(5);
  const records = rawPaths.map(([path, word]) => {
    const [name = '', ...rest] = path.split('.');
    const expected = word === 'stays' ? merged._id : survivor._id;
    return {
      path,
      collection: world.services.db.collection(name),
      _id: new ObjectId(),
      field: rest.join('.'),
      expected,
    };
  });
  for (const [n, { collection, _id, field }] of records.entries()) {
    await collection.insertOne({ _id, org: survivor.org, code: `${_id}`, seq: 1_000_000 + n });
    await collection.updateOne({ _id }, { $set: { [field]: merged._id } });
  }
  await merge(survivor, merged);
  await followUp();
  for (const { path, collection, _id, field, expected } of records) {
    expect([path, await collection.countDocuments({ _id, [field]: expected })]).toEqual([path, 1]);
    await collection.deleteOne({ _id });
  }
});
