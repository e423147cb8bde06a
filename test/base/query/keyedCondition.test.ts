import { Type } from '@sinclair/typebox';
import { readableFields } from '#base/query/fields';
import { parseQuery } from '#base/query/parseQuery';
import { weighRead } from '#base/query/read/heavyReads';
import { list, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { refusal } from './refusal';

const keysOf = (value: string) => value.split('/').map((part) => `k${part}`);
const optional = Type.Optional;

const catResource = defineResource({
  name: 'Cat',
  path: 'cats',
  fields: {
    name: optional(text()),
    code: optional(text()),
    codes: list(text()),
    keys: list(text()),
    size: optional(text()),
  },
  hidden: ['keys'],
  indexes: [{ keys: { org: 1, keys: 1, _id: 1 } }, { keys: { org: 1, codes: 1 } }],
  keyed: {
    name: { list: 'keys', keysOf, beginningOf: (letters) => (letters.length < 5 ? `b${letters}` : undefined) },
    code: { list: 'codes', keysOf: (code) => [code], hasValues: true },
  },
  search: { description: 'By name', filterOf: (sought) => ({ keys: { $eq: sought } }) },
});

const parse = (args: Record<string, string>) =>
  parseQuery(args, readableFields(catResource), { search: catResource.search?.filterOf });
const query = (filter: object) => ({ query: JSON.stringify(filter) });

describe('a condition of a keyed field', () => {
  it.each<[Record<string, string>, unknown]>([
    [{ name: 'a' }, { keys: { $eq: 'ka' } }],
    [{ name: 'a/b' }, { keys: { $in: ['ka', 'kb'] } }],
    [{ name: '!=a' }, { $nor: [{ keys: { $eq: 'ka' } }] }],
    [query({ name: null }), { $or: [{ name: { $eq: null } }] }],
    [query({ name: { $ne: null } }), { $nor: [{ $or: [{ name: { $eq: null } }] }] }],
    [query({ name: { $in: ['a', 'b/c'] } }), { keys: { $in: ['ka', 'kb', 'kc'] } }],
    [query({ name: { $in: ['a', null] } }), { $or: [{ name: { $eq: null } }, { keys: { $eq: 'ka' } }] }],
    [query({ name: { $in: [] } }), { keys: { $in: [] } }],
    [query({ name: { $nin: ['a'] } }), { $nor: [{ keys: { $eq: 'ka' } }] }],
    [query({ name: { $not: { $eq: 'a' } } }), { $nor: [{ keys: { $eq: 'ka' } }] }],
    [query({ name: { $all: ['a'] } }), { keys: { $eq: 'ka' } }],
    [query({ name: { $exists: false } }), { name: { $exists: false } }],
    [{ name: '>a' }, { name: { $gt: 'a' } }],
    [query({ name: { $gt: 'a', $lt: 'b' } }), { $and: [{ name: { $gt: 'a' } }, { name: { $lt: 'b' } }] }],
    [query({ name: 'a', code: 'b' }), { keys: { $eq: 'ka' }, codes: { $eq: 'b' } }],
    [
      query({ name: { $ne: 'a' }, $nor: [{ size: 'b' }] }),
      { $and: [{ $nor: [{ keys: { $eq: 'ka' } }] }, { $nor: [{ size: { $eq: 'b' } }] }] },
    ],
    [query({ $or: [{ name: 'a' }, { code: 'b' }] }), { $or: [{ keys: { $eq: 'ka' } }, { codes: { $eq: 'b' } }] }],
    [{ code: '~^a' }, { codes: { $regex: '^a', $options: 'i' } }],
    [{ name: '~^ab' }, { keys: { $eq: 'bab' }, name: { $regex: '^ab', $options: 'i' } }],
    [{ name: '~^ab$' }, { keys: { $eq: 'bab' }, name: { $regex: '^ab$', $options: 'i' } }],
    [{ name: '~^abcdef' }, { name: { $regex: '^abcdef', $options: 'i' } }],
    [{ name: '~ab' }, { name: { $regex: 'ab', $options: 'i' } }],
    [{ name: '~^a.b' }, { name: { $regex: '^a.b', $options: 'i' } }],
    [query({ name: { $regex: '^ab', $options: 'm' } }), { name: { $regex: '^ab', $options: 'm' } }],
    [query({ name: { $regex: '^ab' } }), { keys: { $eq: 'bab' }, name: { $regex: '^ab' } }],
    [{ search: 'x', size: 'y' }, { $and: [{ keys: { $eq: 'x' } }, { size: { $eq: 'y' } }] }],
  ])('is translated to its keys: %j', (args, filter) => {
    expect(parse(args).filter).toEqual(filter);
  });

  it.each<[string, Record<string, string>]>([
    ['unknown', { name: 'a' }],
    ['unknown', { name: '~^a' }],
    ['unknown', { name: '~^a', size: 'b', sort: 'size' }],
    ['unknown', { search: 'a' }],
    ['heavy', { name: '!=a' }],
    ['heavy', { name: '~a' }],
    ['heavy', query({ name: { $not: { $regex: '^a' } } })],
    ['heavy', query({ $or: [{ name: { $regex: '^a' } }, { size: 'b' }] })],
    ['heavy', { name: 'a', size: '~b' }],
  ])('is %s: %j', (weight, args) => {
    expect(weighRead(catResource, parse(args))).toBe(weight);
  });

  it('bounds the text of search, which is a plain field of other resources', () => {
    expect(refusal(() => parse({ search: ' ' }))).toMatch(/search/);
    expect(refusal(() => parse({ search: 'a'.repeat(101) }))).toMatch(/search/);
    expect(refusal(() => parseQuery({ search: 'a' }, readableFields(catResource)))).toMatch(/not a field/);
  });

  it('cannot name the hidden keys', () => {
    expect(refusal(() => parse({ keys: 'ka' }))).toMatch(/not a field/);
  });
});
