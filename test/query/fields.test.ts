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
  ])('has %s', (path, field) => {
    expect(thingFields.find(path)).toMatchObject({ path, ...field });
  });

  it.each([
    'secret',
    'unknown',
    'name.first',
    'tags.0',
    'parts.0.name',
    'parts.0',
    'notes.0.by',
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
  ])('has no %j', (path) => {
    expect(thingFields.find(path)).toBeUndefined();
  });

  it('knows how long a text can be', () => {
    expect(thingFields.find('tags')?.maxLength).toBe(255);
    expect(thingFields.find('ext.a')?.maxLength).toBeUndefined();
  });

  it('names the fields of the elements of a list from the element on', () => {
    const parts = thingFields.find('parts');
    const below = parts && thingFields.below(parts);
    expect(below?.find('codes')).toMatchObject({ path: 'codes', kind: 'string', isArray: true, arrays: ['codes'] });
    expect(below?.find('parts.codes')).toBeUndefined();
  });
});
