import { isHeavy } from '../../src/query/heavyReads';
import { parseQuery } from '../../src/query/parseQuery';
import { thingFields, thingResource } from './thing';

const id = '0123456789abcdef01234567';

describe('a read', () => {
  // Things have indexes that begin with _id and size.
  it.each<[boolean, Record<string, string>]>([
    [false, {}],
    [false, { _id: id }],
    [false, { size: '>1' }],
    [false, { size: '1', name: 'a' }],
    [false, { query: '{"$or":[{"size":1},{"_id":"0123456789abcdef01234567"}]}' }],
    [false, { sort: '-size' }],
    [false, { size: '1', sort: 'name' }],
    [false, { skip: '10000' }],
    [true, { skip: '10001' }],
    [true, { name: 'a' }],
    [true, { size: '!=1' }],
    [true, { query: '{"size":{"$not":{"$gt":1}}}' }],
    [true, { query: '{"$or":[{"size":1},{"name":"a"}]}' }],
    [true, { query: '{"$nor":[{"size":1}]}' }],
    [true, { sort: 'name' }],
    [true, { size: '1', name: '~a' }],
    [true, { size: '1', distinct: 'name' }],
  ])('heavy is %s of %j', (heavy, args) => {
    expect(isHeavy(thingResource, parseQuery(args, thingFields))).toBe(heavy);
  });
});
