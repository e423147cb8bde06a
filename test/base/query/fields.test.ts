import { thingFields } from './thing';

describe('the fields of a resource', () => {
  it.each([
    ['_id', { kind: 'objectId', isArray: false, arrays: [] }],
    ['createdBy', { kind: 'objectId', isArray: false, arrays: [], ref: 'User' }],
    ['madeAt', { kind: 'date', isArray: false, arrays: [] }],
    ['size', { kind: 'number', isArray: false, arrays: [] }],
    ['isFresh', { kind: 'boolean', isArray: false, arrays: [] }],
    ['tags', { kind: 'string', isArray: true, arrays: ['tags'] }],
    ['address', { kind: 'object', isArray: false, arrays: [] }],
    ['address.at.x', { kind: 'number', isArray: false, arrays: [] }],
    ['parts', { kind: 'object', isArray: true, arrays: ['parts'] }],
    ['parts.box', { kind: 'objectId', isArray: false, arrays: ['parts'], ref: 'Box' }],
    ['parts.codes', { kind: 'string', isArray: true, arrays: ['parts', 'parts.codes'] }],
    ['notes', { kind: 'free', isArray: true, arrays: ['notes'] }],
    ['notes.by.whom', { kind: 'free', isArray: false, arrays: ['notes'] }],
    ['ext', { kind: 'free', isArray: false, arrays: [] }],
    ['ext.a.b.2024', { kind: 'free', isArray: false, arrays: [] }],
    ['any.thing', { kind: 'free', isArray: false, arrays: [] }],
    ['tags.0', { kind: 'string', isArray: false, arrays: [], hasPosition: true }],
    ['parts.12', { kind: 'object', isArray: false, arrays: [], hasPosition: true }],
    ['parts.0.name', { kind: 'string', isArray: false, arrays: [], hasPosition: true }],
    ['parts.0.codes', { kind: 'string', isArray: true, arrays: ['parts.0.codes'], hasPosition: true }],
    ['parts.codes.1', { kind: 'string', isArray: false, arrays: ['parts'], hasPosition: true }],
    ['notes.0.by', { kind: 'free', isArray: false, arrays: [], hasPosition: true }],
    ['filter.params', { kind: 'free', isArray: false, arrays: [] }],
    ['filter.params.colour.text', { kind: 'string', isArray: false, arrays: [] }],
  ])('have %s', (path, field) => {
    expect(thingFields.find(path)).toMatchObject({ path, ...field });
  });

  it.each([
    'secret',
    'unknown',
    'name.first',
    'tags.00',
    'tags.0.0',
    'tags.-1',
    'tags.1000000',
    'address.0',
    'filter.count',
    'filter.params.a.isAdded',
    'filter.params.a.b',
    'address.street',
    'constructor',
    'hasOwnProperty',
    '__proto__',
    'ext.__proto__',
    'ext.__proto__.polluted',
    'ext.$where',
    'ext.a\0b',
    'ext.',
    'ext..a',
    '.ext',
    '',
    `ext.${'a'.repeat(200)}`,
  ])('have no %j', (path) => {
    expect(thingFields.find(path)).toBeUndefined();
  });

  it.each([
    ['name', { length: 255, count: 1 }],
    ['tags', { length: 255, count: 1000 }],
    ['parts.name', { length: 255, count: 1000 }],
    // All texts of a record are together no longer than a request body.
    ['parts.codes', { length: 255, count: 4113 }],
    ['ext.a', { length: 2 ** 20, count: 1 }],
    ['ext.a.b', { length: 2 ** 20, count: 1 }],
    ['any', { length: 2 ** 20, count: 1 }],
  ])('know how many texts of what length one record can hold in %s', (path, texts) => {
    expect(thingFields.find(path)?.texts).toEqual(texts);
  });

  it('know it for the elements of a list too', () => {
    const parts = thingFields.find('parts');
    const below = parts && thingFields.below(parts);
    expect(below?.find('name')?.texts).toEqual({ length: 255, count: 1000 });
    expect(below?.find('codes')?.texts).toEqual({ length: 255, count: 4113 });
  });

  it('name the fields of list elements from the element on', () => {
    const parts = thingFields.find('parts');
    const below = parts && thingFields.below(parts);
    expect(below?.find('codes')).toMatchObject({ path: 'codes', kind: 'string', isArray: true, arrays: ['codes'] });
    expect(below?.find('parts.codes')).toBeUndefined();
  });
});
