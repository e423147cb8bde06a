import { parseQuery } from '#base/query/parseQuery';
import { weighRead } from '#base/query/read/heavyReads';
import { thingFields, thingResource } from '../thing';

const id = '0123456789abcdef01234567';
const zeros = '0'.repeat(24);
const weigh = (args: Record<string, string>) => weighRead(thingResource, parseQuery(args, thingFields));

describe('a read', () => {
  // Things have indexes that begin with _id and size.
  it.each<[string, Record<string, string>]>([
    ['light', {}],
    ['light', { _id: id }],
    ['light', { sort: '-size' }],
    ['light', { skip: '10000' }],
    ['unknown', { populate: 'box' }],
    ['unknown', { _id: id, populate: 'box' }],
    ['unknown', { _id: id, name: 'a' }],
    ['unknown', { _id: `>${id}` }],
    ['unknown', { size: '>1', sort: 'size' }],
    ['unknown', { size: '1', name: 'a' }],
    ['unknown', { query: '{"$or":[{"size":1},{"_id":"0123456789abcdef01234567"}]}' }],
    ['unknown', { size: '1', sort: 'name' }],
    ['heavy', { size: '>1' }],
    ['heavy', { skip: '10001' }],
    ['heavy', { name: 'a' }],
    ['heavy', { size: '!=1' }],
    ['heavy', { query: '{"size":null}' }],
    ['heavy', { query: '{"size":{"$in":[1,null]}}' }],
    ['heavy', { query: '{"size":{"$not":{"$gt":1}}}' }],
    ['heavy', { query: '{"$or":[{"size":1},{"name":"a"}]}' }],
    ['heavy', { query: '{"$nor":[{"size":1}]}' }],
    ['heavy', { sort: 'name' }],
    ['heavy', { size: '1', name: '~a' }],
    ['heavy', { size: '1', distinct: 'name' }],
  ])('is %s: %j', (weight, args) => {
    expect(weigh(args)).toBe(weight);
  });
});

describe('a heavy read stays heavy beside other arguments', () => {
  const heavy: Record<string, string>[] = [{ name: 'a' }, { name: '~a' }, { distinct: 'name' }, { 'ext.a': '>1' }];
  const besides: Record<string, string>[] = [
    { _id: `>${zeros}` },
    { _id: `>=${zeros}` },
    { size: '>=0' },
    { query: JSON.stringify({ _id: { $gt: zeros, $lt: 'f'.repeat(24) } }) },
    { query: JSON.stringify({ _id: { $exists: true } }) },
    { query: JSON.stringify({ _id: { $nin: [id] } }) },
    { query: JSON.stringify({ $or: [{ _id: { $gt: zeros } }, { size: 1 }] }) },
    { query: JSON.stringify({ $or: [{ size: { $gte: 0 } }, { size: null }] }) },
    { query: JSON.stringify({ $nor: [{ _id: id }] }) },
    { query: JSON.stringify({ size: { $not: { $lt: 0 } } }) },
    { query: JSON.stringify({ $and: [{ size: { $lte: 9 } }, { _id: { $gte: zeros } }] }) },
    { sort: 'size' },
    { sort: '-_id' },
    { limit: '1' },
  ];
  it.each(heavy.flatMap((read) => besides.map((dodge) => ({ ...read, ...dodge }))))('%j', (args) => {
    expect(weigh(args)).toBe('heavy');
  });
});
