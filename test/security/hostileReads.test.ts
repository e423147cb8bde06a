import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { client, type Response } from '../support/client';
import { share } from '../support/scale';
import { makeTestOrg } from '../support/services';
import { earnRule, openWorld, type World } from '../support/world';
import { safely } from './safe';

let world: World;
let member: Member;
let activity: string;
/** The ids of another org and of its record; no answer may contain them. */
let theirs: { org: string; record: string };
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  member = await world.addMember();
  const { body } = await world.server
    .as('client')
    .post('/activity', { type: 'Accrual', memberID: member._id, value: 9 });
  activity = body.result.data.activityId;
  const other = await makeTestOrg(world.services, 'other');
  const stranger = client(world.server.url, other.users.admin.token);
  const made = await stranger.post('/programs', { code: 'theirs', name: 'Theirs' });
  theirs = { org: other.org._id.toHexString(), record: made.body._id };
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const encoded = (text: string) => encodeURIComponent(text);

/** Every kind of read that takes a filter as JSON text. */
const verbs: Record<string, (filter: string) => Promise<Response>> = {
  list: (filter) => admin().get(`/members?query=${encoded(filter)}`),
  count: (filter) => admin().get(`/members/count?query=${encoded(filter)}`),
  distinct: (filter) => admin().get(`/members?distinct=status&query=${encoded(filter)}`),
  populate: (filter) => admin().get(`/accrualitems?populate=member,purse&query=${encoded(filter)}`),
  'list of users': (filter) => admin().get(`/users?query=${encoded(filter)}`),
  aggregates: (filter) => admin().get(`/dailyaggregates?query=${encoded(filter)}`),
  'lifetime aggregates': (filter) => admin().get(`/lifetimeaggregates?query=${encoded(filter)}`),
  'count of aggregates': (filter) => admin().get(`/yearaggregates/count?query=${encoded(filter)}`),
  unlink: (filter) => admin().post(`/accounts/unlink?query=${encoded(filter)}`),
  'cancel by query': (filter) => admin().post(`/activity/query/cancel?query=${encoded(filter)}`, {}),
  'validate of a cancel': (filter) => admin().post(`/activity/${activity}/cancel?validate=${encoded(filter)}`, {}),
};

const nested = (depth: number): object => (depth === 0 ? { _id: null } : { $and: [nested(depth - 1)] });
const pattern = (source: string) => JSON.stringify({ 'ext.a': { $regex: source } });

const hostile: [string, string][] = [
  ['$where', '{"$where":"sleep(5000)||true"}'],
  ['$where within $or', '{"$or":[{"$where":"1"}]}'],
  ['$expr', '{"$expr":{"$eq":[1,1]}}'],
  ['$function', '{"$expr":{"$function":{"body":"function(){return true}","args":[],"lang":"js"}}}'],
  ['$function beside a field', '{"_id":{"$function":{"body":"function(){}","args":[],"lang":"js"}}}'],
  ['$accumulator', '{"_id":{"$accumulator":{}}}'],
  ['$jsonSchema', '{"$jsonSchema":{}}'],
  ['$text', '{"$text":{"$search":"a"}}'],
  ['$comment', '{"$comment":"a"}'],
  ['$mod', '{"createdAt":{"$mod":[1,0]}}'],
  ['$near', '{"createdAt":{"$near":[0,0]}}'],
  ['a variable', '{"_id":"$$ROOT"}'],
  ['empty $and', '{"$and":[]}'],
  ['empty $or', '{"$or":[]}'],
  ['empty $nor', '{"$nor":[]}'],
  ['an empty branch', '{"$or":[{}]}'],
  ['$or that is no list', '{"$or":{"_id":null}}'],
  ['an unknown field', '{"nosuchfield":1}'],
  ['a name of every object', '{"constructor":1}'],
  ['a method of every object', '{"toString":1}'],
  ['__proto__', '{"__proto__":{"org":1}}'],
  ['__proto__, escaped and deep', '{"$and":[{"ext":{"\\u005f_proto__":1}}]}'],
  ['an empty key', '{"":1}'],
  ['a NUL in a key', '{"_id\\u0000":1}'],
  ['a path with an empty step', '{"ext..a":1}'],
  ['a path with an operator', '{"ext.$where":1}'],
  ['a long path', JSON.stringify({ [`ext.${'a.'.repeat(200)}b`]: 1 })],
  ['_bsontype', '{"_id":{"_bsontype":"ObjectId","id":"a"}}'],
  ['_bsontype deep', '{"ext.a":{"b":{"_bsontype":"Code","code":"1"}}}'],
  ['$oid', '{"_id":{"$oid":"65a000000000000000000001"}}'],
  ['$gt of an object', '{"createdAt":{"$gt":{}}}'],
  ['$gt of nothing', '{"createdAt":{"$gt":null}}'],
  ['a number beyond all', '{"ext.a":1e400}'],
  ['an id that is a number', '{"_id":99999999999999999999}'],
  ['a date that does not exist', '{"createdAt":"2026-02-30T00:00:00.000Z"}'],
  ['seven levels', JSON.stringify(nested(7))],
  ['five thousand levels', '{"$and":['.repeat(1500)],
  ['lists in lists', `{"_id":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['101 conditions', JSON.stringify({ $or: Array.from({ length: 60 }, () => ({ _id: null })) })],
  ['501 values of $in', JSON.stringify({ _id: { $in: Array.from({ length: 501 }, () => null) } })],
  ['$in of an object', '{"_id":{"$in":{"0":1}}}'],
  ['operators within $in', '{"_id":{"$in":[{"$ne":null}]}}'],
  ['nested quantifiers', pattern('(a+)+$')],
  ['alternatives that overlap', pattern('^(a|a)*b$')],
  ['a regular expression of 257 characters', pattern('a'.repeat(257))],
  ['a back reference', pattern('(a)\\1')],
  ['a regular expression that does not end', pattern('(')],
  ['three regular expressions', JSON.stringify({ $or: ['a', 'b', 'c'].map((x) => ({ 'ext.a': { $regex: x } })) })],
  ['a regular expression on an id', '{"_id":{"$regex":"."}}'],
  ['options alone', '{"ext.a":{"$options":"i"}}'],
  ['a NUL in a pattern', pattern('a\0')],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '1'],
  ['a text', '"a"'],
  ['nothing', ''],
  ['no JSON', '{_id:1}'],
  ['JSON and more', '{}{}'],
  ['17 KB', JSON.stringify({ _id: 'a'.repeat(17_000) })],
];

// All kinds of reads have one parser of filters. In a run each of them refuses a part of the filters, another one each.
describe.each(Object.keys(verbs).map((verb, place) => [verb, place] as const))('a filter for %s', (verb, place) => {
  it.each(share(hostile, 4, place))('with %s is 400', async (_name, filter) => {
    expect(await safely(() => verbs[verb]?.(filter) ?? Promise.reject(new Error(verb)))).toBeRefused(400, 1210);
  });
});

/** Complete query strings, for lists and counts. */
const hostileArguments: [string, string][] = [
  ['query given twice', 'query={}&query={}'],
  ['a field given twice', 'status=Active&status=Inactive'],
  ['sort given twice', 'sort=_id&sort=-_id'],
  ['query in brackets', 'query[$ne]=1'],
  ['a field in brackets', 'status[$ne]=Active'],
  ['a list in brackets', 'status[]=Active'],
  ['a name that is empty', '=1'],
  ['a name with a NUL', 'status%00=Active'],
  ['__proto__', '__proto__=1'],
  ['__proto__ below ext', 'ext.__proto__=1'],
  ['constructor', 'constructor=1'],
  ['an operator', '$where=1'],
  ['a path with an operator', 'ext.$where=1'],
  ['an unknown field', 'nosuchfield=1'],
  ['select of a position in a list', 'select=loyaltyIDs.0'],
  ['select of an expression', 'select={"status":"$org"}'],
  ['select of an operator', 'select={"loyaltyIDs":{"$slice":1}}'],
  ['select of both kinds', 'select=status,-type'],
  ['select of 2', 'select={"status":2}'],
  ['select of an unknown field', 'select=nosuchfield'],
  ['select of nothing', 'select=,'],
  ['sort by a score', 'sort={"status":{"$meta":"textScore"}}'],
  ['sort by 2', 'sort={"status":2}'],
  ['sort by five keys', 'sort=status,type,email,phone,locale'],
  ['sort by an unknown field', 'sort=nosuchfield'],
  ['distinct of an unknown field', 'distinct=nosuchfield'],
  ['distinct of an operator', 'distinct=$org'],
  ['populate of no reference', 'populate=status'],
  ['populate of more than three', 'populate=program,referredBy,mergedInto,createdBy'],
  ['a negative limit', 'limit=-1'],
  ['no limit', 'limit=0'],
  ['a limit of 1e9', 'limit=1e9'],
  ['a limit that is none', 'limit=Infinity'],
  ['a negative skip', 'skip=-1'],
  ['a skip beyond all', 'skip=99999999999999999999'],
  ['a skip with a fraction', 'skip=0.5'],
  ['a number beyond all', 'version=1e400'],
  ['a number in hexadecimal', 'version=0x10'],
  ['nested quantifiers', `status=~${encoded('(a+)+$')}`],
  ['a long regular expression', `status=~${'a'.repeat(257)}`],
  ['an id that is none', '_id=>0'],
];

describe.each([
  ['/members', 0],
  ['/members/count', 1],
] as const)('the arguments of %s', (path, place) => {
  it.each(share(hostileArguments, 2, place))('with %s are 400', async (_name, args) => {
    expect(await safely(() => admin().get(`${path}?${args}`))).toBeRefused(400, 1210);
  });
});

describe("another org's records", () => {
  const ways: [string, () => object][] = [
    ['its org', () => ({ org: theirs.org })],
    ['its org in $or', () => ({ $or: [{ org: theirs.org }, { _id: theirs.record }] })],
    ['its id', () => ({ _id: { $in: [theirs.record] } })],
    ['not our org', () => ({ org: { $ne: world.services.org._id.toHexString() } })],
    ['nothing of ours', () => ({ $nor: [{ org: world.services.org._id.toHexString() }] })],
    ['$not our org', () => ({ org: { $not: { $eq: world.services.org._id.toHexString() } } })],
  ];

  it.each(ways)('are not reached by %s', async (_name, filter) => {
    const query = `query=${encoded(JSON.stringify(filter()))}`;
    const ask = async (path: string) => (await safely(() => admin().get(path), [theirs.org, theirs.record])).body;
    expect(await ask(`/programs?${query}`)).toEqual([]);
    expect(await ask(`/programs/count?${query}`)).toEqual({ count: 0 });
    expect(await ask(`/programs?distinct=code&${query}`)).toEqual([]);
    expect(await ask(`/programs?distinct=org,code&${query}`)).toEqual([]);
    expect(await ask(`/members?populate=program&${query}`)).toEqual([]);
    expect(await ask(`/dailyaggregates?${query}`)).toEqual([]);
    expect(await ask(`/lifetimeaggregates?${query}`)).toEqual([]);
    const cancelled = await safely(() => admin().post(`/activity/query/cancel?${query}`, {}), [theirs.org]);
    expect(cancelled.status).toBe(404);
    const validated = await safely(
      () => admin().post(`/activity/${activity}/cancel?validate=${encoded(JSON.stringify(filter()))}`, {}),
      [theirs.org],
    );
    expect(validated.body.result.errors).toMatchObject([{ code: 2320 }]);
  });

  it('are not reached by a lookup, a reference or an unlink', async () => {
    const lookup = (keys: object) => ({ lookup: { model: 'Program', keys, select: ['_id'] } });
    for (const keys of [{ org: theirs.org }, { _id: theirs.record }, { code: 'theirs' }]) {
      const sent = { program: lookup(keys) };
      const { status, body } = await safely(() => admin().post('/members?preprocess=true', sent), [theirs.record]);
      expect([status, body.errors?.[0].kind]).toEqual([422, 'lookup']);
    }
    const referring = await safely(() => admin().post('/members', { program: theirs.record }));
    expect([referring.status, referring.body.errors?.[0].kind]).toEqual([422, 'reference']);
    const unlinked = await safely(() => verbs.unlink?.(`{"members.member":"${new ObjectId()}"}`) ?? Promise.reject());
    expect(unlinked.status).toBe(404);
  });
});

it('populating the org is allowed to nobody', async () => {
  const { status } = await safely(() => admin().get('/members?populate=org'));
  expect(status).toBe(403);
});

describe('a lookup', () => {
  it.each([
    ['an operator as a value', { model: 'Program', keys: { code: { $ne: null } }, select: ['_id'] }],
    ['an operator as a key', { model: 'Program', keys: { $where: '1' }, select: ['_id'] }],
    ['$or', { model: 'Program', keys: { $or: [{ code: 'main' }] }, select: ['_id'] }],
    ['an unknown field', { model: 'Program', keys: { nosuchfield: 1 }, select: ['_id'] }],
    ['an expression to select', { model: 'Program', keys: { code: 'main' }, select: ['$org'] }],
    ['a hidden field to select', { model: 'Member', keys: { status: 'Active' }, select: ['seq'] }],
    ['a hidden field as a key', { model: 'Member', keys: { seq: 1 }, select: ['_id'] }],
    ['a collection for a model', { model: 'sessions', keys: { user: '1' }, select: ['_id'] }],
    ['a method for a model', { model: 'constructor', keys: { a: 1 }, select: ['_id'] }],
    ['a NUL in a key', { model: 'Program', keys: { 'code\0': 'main' }, select: ['_id'] }],
    ['a number beyond all as an id', { model: 'Program', keys: { _id: 1e21 }, select: ['_id'] }],
  ])('with %s is 422', async (_name, lookup) => {
    const answer = await safely(() => admin().post('/members?preprocess=true', { program: { lookup } }));
    expect(answer).toBeRefused(422, 1200);
  });

  it('in users is 403', async () => {
    const lookup = { model: 'User', keys: { username: 'admin@test' }, select: ['_id'] };
    const { status } = await safely(() => admin().post('/members?preprocess=true', { program: { lookup } }));
    expect(status).toBe(403);
  });
});
