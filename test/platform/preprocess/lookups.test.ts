import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  member = await world.addMember({
    loyaltyID: 'L-1',
    firstName: 'Ada',
    address: { city: 'Bern', country: 'CH' },
    ext: { store: { code: 'S1' } },
  });
});
afterAll(() => world.close());

const inMembers = (select: string[], keys: object = { loyaltyID: 'L-1' }) => ({
  lookup: { model: 'Member', keys, select },
});
const program = { lookup: { model: 'Program', keys: { code: 'main' }, select: ['_id'] } };

function send(method: 'post' | 'put' | 'patch', path: string, body: unknown) {
  return world.server.as('admin')[method](`${path}${path.includes('?') ? '&' : '?'}preprocess=true`, body);
}

async function storedEnums(): Promise<number> {
  return world.services.db.collection('enums').countDocuments({});
}

describe('a lookup', () => {
  test('with one selected field is replaced by its value, checked as if it had been sent', async () => {
    const { status, body } = await send('post', '/members', { program, firstName: inMembers(['firstName']) });
    expect([status, body.program, body.firstName]).toEqual([201, world.program._id.toHexString(), 'Ada']);
  });

  test('with several selected fields is replaced by an object of them', async () => {
    const { body } = await send('post', '/members', {
      program,
      ext: { who: inMembers(['firstName', 'address.city']) },
    });
    expect(body.ext.who).toEqual({ firstName: 'Ada', address: { city: 'Bern' } });
  });

  test('of a whole sub-document is replaced by the sub-document', async () => {
    const { body } = await send('post', '/members', { program, address: inMembers(['address']) });
    expect(body.address).toEqual({ city: 'Bern', country: 'CH' });
  });

  test.each(['put', 'patch'] as const)('works in a %s', async (verb) => {
    const other = await world.addMember();
    const { status, body } = await send(verb, `/members/${other._id}`, { firstName: inMembers(['firstName']) });
    expect([status, body.firstName]).toEqual([200, 'Ada']);
  });

  test('works nested, in lists, and in an activity', async () => {
    const lineItems = [{ itemSKU: 'A', itemPrice: 3, quantity: 2, ext: { deep: [[inMembers(['ext.store.code'])]] } }];
    const memberID = inMembers(['_id']);
    const { body } = await send('post', '/activity', { type: 'Accrual', memberID, lineItems });
    expect(body.result.data.status).toBe('Processed');
    const history = await world.server.as('admin').get(`/activityhistories/${body.result.data.activityId}`);
    expect(history.body.lineItems[0].ext.deep).toEqual([['S1']]);
    expect(history.body.memberID).toBe(member._id.toHexString());
  });

  test('works in a list of activities', async () => {
    const activity = { type: 'Accrual', memberID: inMembers(['_id']), value: 1 };
    const { status, body } = await send('post', '/activities/bulk?async=true', [activity, activity]);
    expect([status, body.map((each: { status: string }) => each.status)]).toEqual([202, ['Queued', 'Queued']]);
  });

  test('may be the whole body', async () => {
    const other = await world.addMember();
    const { body } = await send('put', `/members/${other._id}`, inMembers(['firstName', 'address']));
    expect([body.firstName, body.address.city]).toEqual(['Ada', 'Bern']);
  });

  test('with several keys needs all of them to match', async () => {
    const both = { loyaltyID: 'L-1', firstName: 'Bob' };
    const { status, body } = await send('post', '/members', { program, lastName: inMembers(['firstName'], both) });
    expect([status, body.errors[0].kind, body.errors[0].path]).toEqual([422, 'lookup', 'lastName']);
  });

  test('casts ids, numbers and dates of its keys', async () => {
    const other = await world.addMember({ firstName: 'Eve' });
    const keys = { _id: other._id, version: 1, createdAt: other.createdAt };
    const { body } = await send('post', '/members', { program, firstName: inMembers(['firstName'], keys) });
    expect(body.firstName).toBe('Eve');
  });

  test('finds aggregates by the name of their period', async () => {
    const lookup = (model: string) => ({
      lookup: { model, keys: { metricName: 'none' }, select: ['metricAggValue'], default: 'none' },
    });
    const models = ['DailyAggregate', 'WeeklyAggregate', 'LifetimeAggregate'];
    const ext = Object.fromEntries(models.map((model) => [model, lookup(model)]));
    const { body } = await send('post', '/members', { program, ext });
    expect(body.ext).toEqual({ DailyAggregate: 'none', WeeklyAggregate: 'none', LifetimeAggregate: 'none' });
  });

  test.each([[null], ['x'], [{ a: [1] }]])('without a match is replaced by its default %j as it is', async (value) => {
    const { lookup } = inMembers(['firstName'], { loyaltyID: 'nobody' });
    const { body } = await send('post', '/members', { program, ext: { a: { lookup: { ...lookup, default: value } } } });
    expect(body.ext.a).toEqual(value);
  });

  test('without a match and default is refused by its path, with every other such', async () => {
    const none = inMembers(['firstName'], { loyaltyID: 'nobody' });
    const { status, body } = await send('post', '/members', { program, firstName: none, ext: { a: [1, none] } });
    expect({ status, body }).toBeRefused(422, 1200);
    expect(body.errors.map(({ kind, path }: Record<string, string>) => [kind, path])).toEqual([
      ['lookup', 'firstName'],
      ['lookup', 'ext.a.1'],
    ]);
  });

  test('whose value does not fit its place is refused as if it had been sent', async () => {
    const { status, body } = await send('post', '/members', { program, birthDate: inMembers(['firstName']) });
    expect([status, body.errors[0].path]).toEqual([422, 'birthDate']);
  });

  test('finds nothing of another org', async () => {
    const org = new ObjectId();
    await world.services.db.collection('enums').insertOne({ org, type: 'T', value: 'theirs' });
    const theirs = { lookup: { model: 'Enum', keys: { value: 'theirs' }, select: ['type'] } };
    const { status } = await send('post', '/members', { program, firstName: theirs });
    expect(status).toBe(422);
  });

  test('is left alone without preprocess=true', async () => {
    for (const query of ['', '?preprocess=false']) {
      const made = await world.server.as('admin').post(`/members${query}`, {
        program: world.program._id,
        ext: { a: inMembers(['firstName']) },
      });
      expect([made.status, made.body.ext.a]).toEqual([201, inMembers(['firstName'])]);
    }
  });
});

describe('a body is refused and stores nothing:', () => {
  const good = { model: 'Member', keys: { loyaltyID: 'L-1' }, select: ['firstName'] };
  const { model: _m, ...noModel } = good;
  const { keys: _k, ...noKeys } = good;
  const { select: _s, ...noSelect } = good;

  test.each([
    ['no model', noModel, 'required', 'label.lookup.model'],
    ['no keys', noKeys, 'required', 'label.lookup.keys'],
    ['no select', noSelect, 'required', 'label.lookup.select'],
    ['an unknown field of it', { ...good, limit: 1 }, 'additionalProperties', 'label.lookup.limit'],
    ['an unknown model', { ...good, model: 'Members' }, 'lookup', 'label.lookup.model'],
    ['empty keys', { ...good, keys: {} }, 'minProperties', 'label.lookup.keys'],
    ['an operator', { ...good, keys: { loyaltyID: { $ne: '' } } }, 'type', 'label.lookup.keys.loyaltyID'],
    ['a list as key', { ...good, keys: { loyaltyID: ['L-1'] } }, 'type', 'label.lookup.keys.loyaltyID'],
    ['null as key', { ...good, keys: { loyaltyID: null } }, 'type', 'label.lookup.keys.loyaltyID'],
    ['an operator as name', { ...good, keys: { $where: '1' } }, 'lookup', 'label.lookup'],
    ['an unknown key', { ...good, keys: { nothing: 1 } }, 'lookup', 'label.lookup'],
    ['a value that is none of its field', { ...good, keys: { createdAt: 'soon' } }, 'lookup', 'label.lookup'],
    ['an unknown selected field', { ...good, select: ['nothing'] }, 'lookup', 'label.lookup'],
    ['a field beside one within it', { ...good, select: ['address', 'address.city'] }, 'lookup', 'label.lookup'],
    ['an empty select', { ...good, select: [] }, 'minItems', 'label.lookup.select'],
    ['select as text', { ...good, select: 'firstName' }, 'type', 'label.lookup.select'],
    ['a text', 'Member', 'type', 'label.lookup'],
  ])('with a lookup with %s', async (_name, lookup, kind, path) => {
    const before = await storedEnums();
    const { status, body } = await send('post', '/enums', { type: 'T', value: 'x', label: { lookup } });
    expect({ status, body }).toBeRefused(422, 1200);
    expect(body.errors).toMatchObject([{ kind, path, message: expect.any(String) }]);
    expect(await storedEnums()).toBe(before);
  });

  test('with an eleventh lookup, while ten are accepted', async () => {
    const ten = Array.from({ length: 10 }, () => ({ lookup: good }));
    const fine = await send('post', '/enums', { type: 'T', value: 'ten', ext: { ten } });
    const { status, body } = await send('post', '/enums', {
      type: 'T',
      value: 'x',
      ext: { ten, one: { lookup: good } },
    });
    expect([fine.status, status, body.errors[0].path]).toEqual([201, 422, 'ext.one']);
  });

  test('with a value that would nest too deep', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`);
    await world.addMember({ loyaltyID: 'deep', ext: { deep } });
    const lookup = { ...good, keys: { loyaltyID: 'deep' }, select: ['ext.deep'] };
    const ext = JSON.parse(`${'{"a":'.repeat(20)}${JSON.stringify({ lookup })}${'}'.repeat(20)}`);
    expect(await send('post', '/enums', { type: 'T', value: 'deep', ext })).toBeRefused(400, 1210);
  });
});

describe('lookups find records', () => {
  test('never in users', async () => {
    const lookup = { model: 'User', keys: { username: 'admin@test' }, select: ['roles'] };
    expect(await send('post', '/enums', { type: 'T', value: 'x', ext: { a: { lookup } } })).toBeRefused(403, 1130);
  });

  test.each(['Session', 'Org', 'Submission'])('never in %s, which nobody may read', async (model) => {
    const lookup = { model, keys: { _id: new ObjectId() }, select: ['_id'] };
    expect(await send('post', '/enums', { type: 'T', value: 'x', ext: { a: { lookup } } })).toBeRefused(403, 1130);
  });

  test('only for users with the read permission on the model', async () => {
    const lookup = { model: 'Enum', keys: { value: 'main' }, select: ['_id'] };
    const answer = await world.server.as('client').post('/members?preprocess=true', { program: { lookup } });
    expect(answer).toBeRefused(403, 1130);
  });

  test('only for users who may send the request', async () => {
    const { status } = await world.server.as('reader').post('/members?preprocess=true', { program });
    expect(status).toBe(403);
  });
});

test('a key of an activity covers the body as it was sent, so a replay answers the first result', async () => {
  const activity = { type: 'Accrual', externalTxnId: 'once', memberID: inMembers(['_id']), value: 1 };
  const first = await send('post', '/activity', activity);
  const again = await send('post', '/activity', activity);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body.result.data.activityId).toBe(first.body.result.data.activityId);
  const other = await send('post', '/activity', { ...activity, memberID: member._id });
  expect([other.status, other.body.errors[0].path]).toEqual([422, 'externalTxnId']);
});
