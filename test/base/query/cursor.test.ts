import { ObjectId } from 'bson';
import { nextPage } from '#base/query/page';
import { parseQuery } from '#base/query/parseQuery';
import { refusal } from './refusal';
import { thingFields } from './thing';

const hex = '0123456789abcdef01234567';
const parse = (args: Record<string, string>) => parseQuery(args, thingFields);

describe('past the greatest skip', () => {
  const id = new ObjectId(hex);
  const date = new Date('2026-01-31T00:00:00.000Z');
  const nextOf = (args: Record<string, string>, last?: unknown[]) => {
    const next = nextPage(args, parse(args), { found: 2, last });
    return Object.fromEntries(new URLSearchParams(next));
  };
  const deep = { limit: '2', skip: '999999' };

  it.each<[string, string[], unknown[], object]>([
    ['_id', ['_id'], [id], { _id: { $gt: id } }],
    ['-_id', ['_id'], [id], { _id: { $not: { $gte: id } } }],
    [
      'madeAt',
      ['madeAt', '_id'],
      [date, id],
      { $or: [{ madeAt: { $gt: date } }, { madeAt: { $eq: date }, _id: { $gt: id } }] },
    ],
    [
      'address.at.x',
      ['address.at.x', '_id'],
      [null, id],
      { $or: [{ 'address.at.x': { $ne: null } }, { 'address.at.x': { $eq: null }, _id: { $gt: id } }] },
    ],
    ['-box', ['box', '_id'], [null, id], { box: { $eq: null }, _id: { $gt: id } }],
    [
      '-size,isFresh,-_id',
      ['size', 'isFresh', '_id'],
      [3, false, id],
      {
        $or: [
          { size: { $not: { $gte: 3 } } },
          { size: { $eq: 3 }, isFresh: { $gt: false } },
          { size: { $eq: 3 }, isFresh: { $eq: false }, _id: { $not: { $gte: id } } },
        ],
      },
    ],
  ])('sort=%s goes on after the last values', (sort, keys, last, after) => {
    expect(parse({ ...deep, sort })).toMatchObject({ skip: 999_999, keys });
    const { after: cursor = '', ...args } = nextOf({ ...deep, sort }, last);
    expect([args, cursor]).toEqual([{ limit: '2', sort }, expect.stringMatching(/^[\w-]+$/)]);
    expect(parse({ ...args, after: cursor })).toMatchObject({ skip: 0, keys, after });
  });

  // A list is ordered by one of its elements, and values without a type have an order of their own.
  it.each([{ sort: 'tags' }, { sort: 'parts.0.count' }, { sort: 'size,-ext.a' }, { distinct: 'name', sort: '-name' }])(
    'the order of %j goes on after a number of records',
    (args) => {
      expect(parse({ ...deep, ...args })).not.toHaveProperty('keys');
      const next = nextOf({ ...deep, ...args });
      expect(parse(next)).toMatchObject({ skip: 1_000_001, limit: 2 });
      const further = nextOf(next);
      expect(parse(further)).toMatchObject({ skip: 1_000_003 });
    },
  );

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { after: known = '' } = nextOf({ ...deep, sort: 'name' }, ['a', id]);
  it.each<[string, Record<string, string>]>([
    ['empty', { after: '' }],
    ['no base64', { after: '%%%' }],
    ['no JSON', { after: Buffer.from('[').toString('base64url') }],
    ['no object', { after: encoded([1]) }],
    ['of another sort', { after: known }],
    ['of the other direction', { after: known, sort: '-name' }],
    ['of distinct values', { after: known, sort: 'name', distinct: 'name' }],
    ['without values', { after: encoded({ of: '_id' }) }],
    ['with a value too few', { after: encoded({ of: '_id', key: [] }) }],
    ['with a value too many', { after: encoded({ of: '_id', key: [hex, 1] }) }],
    ['with no id', { after: encoded({ of: '_id', key: ['x'] }) }],
    ['with an operator', { after: encoded({ of: '_id', key: [{ $gt: '' }] }) }],
    ['with a date for a number', { after: encoded({ of: 'size,_id', key: [date, hex] }), sort: 'size' }],
    ['with values of a list', { after: encoded({ of: 'tags,_id', key: ['a', hex] }), sort: 'tags' }],
    ['with a negative number of records', { after: encoded({ of: '_id', skip: -1 }) }],
    ['with too many records', { after: encoded({ of: '_id', skip: 2 ** 31 }) }],
    ['too long', { after: encoded({ of: 'name,_id', key: ['x'.repeat(4096), hex] }), sort: 'name' }],
    ['beside skip', { after: known, sort: 'name', skip: '0' }],
  ])('the argument after is refused: %s', (_name, args) => {
    expect(refusal(() => parse(args))).toMatch(/^after(:| must be as the Link| continues a list)/);
  });

  it('a page has no link when its last values are too long for one', () => {
    expect(refusal(() => nextOf({ ...deep, sort: 'name' }, ['x'.repeat(4096), id]))).toContain(
      'The values to sort by are too long for a link to the next page',
    );
  });
});
