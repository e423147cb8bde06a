import { lookupEntries } from '#engine/rules/read/lookupEntries';
import { readLookups } from '#engine/rules/read/readLookups';
import { CsvSource } from '#engine/rules/read/tables/csvSource';
import { JsonSource } from '#engine/rules/source/jsonSource';
import { distance, distances, distancesCsv, flight, placed, readEntries } from './lookupWorld';

interface Given {
  declared?: object;
  csv?: string;
  rule?: object;
}

/** The faults of a declaration, its CSV file and a rule that reads it. */
async function faultsOf({ declared = distances, csv = distancesCsv, rule = flight }: Given): Promise<string[]> {
  const { errors } = await readEntries([declared, rule], { 'distances.csv': csv });
  return placed(errors);
}

/** A rule with this reference as a condition. */
const reading = (ref: object) => ({ ...flight, conditions: { all: [{ ...ref, operator: 'equal', value: 'Home' }] } });

describe('a fault of a declaration is named', () => {
  it.each<[object, string]>([
    [
      { csv: 'distance.csv' },
      'a.json:4:10 there is no file "distance.csv" beside this one (did you mean "distances.csv"?)',
    ],
    [{ keys: ['from', 'too'] }, 'a.json:7:4 "distances.csv" has no column "too" (did you mean "to"?)'],
    [{ keys: [] }, 'a.json:5:11 keys must NOT have fewer than 1 items'],
    [{ types: { mile: 'number' } }, 'a.json:10:4 "distances.csv" has no column "mile" (did you mean "miles"?)'],
    [{ types: { miles: 'integer' } }, 'a.json:10:13 miles must be one of text, number, boolean'],
    [{ key: ['from'] }, 'a.json:9:3 unknown field "key" (did you mean "keys"?)'],
    [{ lookupTable: 'my table' }, 'a.json:3:18 lookupTable must match pattern'],
    [{ keys: ['from', 'to', 'miles', 'factor', 'zone'] }, 'a.json:5:11 "distances.csv" has no other columns'],
  ])('%j', async (changes, fault) => {
    const faults = await faultsOf({
      declared: { ...distances, ...changes },
      rule: { ...flight, conditions: undefined },
    });
    expect(faults[0]?.slice(0, fault.length)).toBe(fault);
  });

  it('once, also when a rule reads the table', async () => {
    expect(await faultsOf({ csv: 'from,to\n' })).toHaveLength(1);
  });

  it('when a name is declared twice', async () => {
    const { errors } = await readEntries([distances, distances, flight], { 'distances.csv': distancesCsv });
    expect(placed(errors)).toEqual(['a.json:11:18 the lookup table "distances" is declared twice']);
  });
});

describe('a fault of a CSV file is named at its cell', () => {
  const rows = (...lines: string[]) => ['from,to,miles,factor,zone', ...lines].join('\n');
  it.each<[string, string, string]>([
    ['a number that may be two', rows('A,B,1.000,1,X'), '2:5 "1.000" may be 1 or 1000; write 1.0 or 1000'],
    ['a negative one', rows('A,B,-2.500,1,X'), '2:5 "-2.500" may be -2.5 or -2500; write -2.5 or -2500'],
    ['three decimals', rows('A,B,1.125,1,X'), '2:5 "1.125" may be 1.125 or 1125; write 1.1250 or 1125'],
    ['two points', rows('A,B,1,1,X', 'A,C,1.000.000,1,X'), '3:5 "1.000.000" is a text, and "1" on line 2 is a number'],
    ['a text among numbers', rows('A,B,1,1,X', 'A,C,many,1,X'), '3:5 "many" is a text, and "1" on line 2 is a number'],
    ['a number among texts', rows('A,B,1,1,X', 'A,C,1,1,7'), '3:9 "7" is a number, and "X" on line 2 is a text'],
    ['a boolean among texts', rows('A,B,1,1,X', 'A,C,1,1,true'), '3:9 "true" is true or false, and "X" on line 2'],
    ['a leading zero', rows('A,B,1,1,X', 'A,C,007,1,X'), '3:5 "007" is a text, and "1" on line 2 is a number'],
    ['the same keys twice', rows('A,B,1,1,X', 'A,B,2,1,X'), '3:1 the row at line 2 has the same keys: A, B'],
    ['an empty key', rows('A,,1,1,X'), '2:1 this row has no "to", which is a key'],
    ['a cell too many', rows('A,B,1,1,X,Y'), '2:11 this line has more cells than the first, which has 5'],
    ['a cell too few', rows('A,B,1,1'), '2:1 this line has 4 cells; the first has 5'],
    ['no rows', rows(), '1:1 the first line names the columns, and at least one row stands below it'],
    ['a column twice', 'from,to,to\nA,B,C', '1:9 the column "to" stands here twice'],
    ['a name that no path has', 'from,to,my miles\nA,B,1', '1:9 "my miles" cannot be the name of a column'],
    ['semicolons beside commas', 'from;to,miles\nA;B,1', '1:1 "from;to" cannot be the name of a column'],
    ['an open quote', rows('"A,B'), '2:1 this cell begins with a quote that never closes'],
  ])('%s', async (_, csv, fault) => {
    const faults = await faultsOf({ csv });
    expect(faults[0]?.slice(0, fault.length + 14)).toBe(`distances.csv:${fault}`);
  });

  it('when it is not of the type of its column', async () => {
    const declared = { ...distances, types: { from: 'number', zone: 'boolean' } };
    expect(await faultsOf({ declared })).toEqual([
      'distances.csv:2:1 "ZRH" is not a number',
      'distances.csv:2:18 "Atlantic" is not true or false',
      'distances.csv:3:1 "ZRH" is not a number',
      'distances.csv:3:14 "Home" is not true or false',
    ]);
  });

  it('but not when the type of its column is text', async () => {
    const declared = { ...distances, types: { zone: 'text' } };
    expect(await faultsOf({ declared, csv: rows('A,B,1,1,1.000', 'A,C,1,1,007', '1.000,C,1,1,true') })).toEqual([]);
  });

  it('when there are more than 100,000 rows', async () => {
    const lines = Array.from({ length: 100_001 }, (_, n) => `c${n},B,1,1,X`);
    expect(await faultsOf({ csv: rows(...lines) })).toEqual([
      'distances.csv:1:1 holds 100001 rows; a lookup table has at most 100000',
    ]);
  });
});

it('many tables of one file are refused before they are read', async () => {
  const entries = ['one', 'two', 'three'].map((lookupTable) => ({ ...distances, lookupTable }));
  const source = new JsonSource({ path: 'demo/a.json', text: JSON.stringify(entries) });
  const written = entries.map((value, index) => ({ source, at: [index], value }));
  const csv = await CsvSource.read({ path: 'demo/distances.csv', text: distancesCsv });
  const input = { files: new Map([['distances.csv', csv]]), capacity: { rules: 0, size: 0, cells: 25 } };
  expect([...(await readLookups(lookupEntries(written), input)).keys()]).toEqual(['one', 'two']);
  expect(input.capacity.cells).toBe(5);
  expect(source.faults.errors.map(({ message }) => message)).toEqual([
    'with these 10 cells, lookup tables come to more than 2,000,000 cells',
  ]);
});

describe('a fault of a lookup is named', () => {
  it.each<[string, object, string]>([
    [
      'an unknown table',
      { ...distance('zone'), params: { name: 'distance', keys: ['a', 'b'] } },
      'unknown lookup table "distance" (did you mean "distances"?)',
    ],
    ['an unknown column', distance('zones'), 'table $.zones: unknown "zones" (did you mean "zone"?)'],
    ['a key too few', distance('zone', ['ZRH']), '"distances" has the keys from, to; here are 1'],
    ['a number for a text', distance('zone', ['ZRH', 5]), '5 is a number, and the column "to" has texts'],
    [
      'a fact of another kind',
      distance('zone', ['ZRH', { fact: 'hour' }]),
      'hour is a number, and the column "to" has texts',
    ],
    [
      'a whole object',
      distance('zone', ['ZRH', { fact: 'location' }]),
      'location is an object, and the column "to" has texts',
    ],
    [
      'an object',
      distance('zone', ['ZRH', { of: 1 }]),
      'a key is a text, a number, true, false, or the value of a fact: {"fact": …}',
    ],
    [
      'an unknown fact',
      distance('zone', ['ZRH', { fact: 'activty' }]),
      'unknown fact "activty" (did you mean "activity"?)',
    ],
    [
      'a misspelt path',
      distance('zone', ['ZRH', { fact: 'activity', path: '$.valeu' }]),
      'activity $.valeu: unknown "valeu" (did you mean "value"?)',
    ],
    ['no params', { fact: 'table', path: '$.zone' }, 'name is required'],
    ['a column of another kind', distance('miles'), 'table $.miles is a number, and "Home" is a text'],
  ])('%s', async (_, ref, message) => {
    const { errors } = await readEntries([distances, reading(ref)], { 'distances.csv': distancesCsv });
    expect(errors.map((each) => each.message)).toContain(message);
  });
});
