import { escrowFaults, expiryFaults } from '#engine/points/ledger/termsFaults';

const pathsAndKinds = (faults: { path: string; kind: string }[]) => faults.map(({ path, kind }) => `${path} ${kind}`);

describe('terms of a purse policy', () => {
  test.each([
    ['none', { type: 'none' }, []],
    ['a whole duration', { type: 'duration', value: 3, unit: 'day' }, []],
    ['a duration without unit', { type: 'duration', value: 3 }, ['escrow.unit required']],
    ['a bare duration', { type: 'duration' }, ['escrow.value required', 'escrow.unit required']],
  ] as const)('are checked when the escrow is %s', (_, terms, expected) => {
    expect(pathsAndKinds(escrowFaults(terms))).toEqual(expected);
  });

  test.each([
    ['none', { type: 'none' }, []],
    ['a year', { type: 'rolling', value: 1, unit: 'year' }, []],
    ['rolling without anything', { type: 'rolling' }, ['expiry.value required', 'expiry.unit required']],
    ['rolling for nothing', { type: 'rolling', value: 0, unit: 'day' }, ['expiry.value minimum']],
    ['the end of the year', { type: 'calendar', month: 12, day: 31 }, []],
    ['a leap day', { type: 'calendar', month: 2, day: 29 }, []],
    ['31 February', { type: 'calendar', month: 2, day: 31 }, ['expiry.day date']],
    ['31 April', { type: 'calendar', month: 4, day: 31 }, ['expiry.day date']],
    ['a month without day', { type: 'calendar', month: 4 }, ['expiry.day required']],
    ['a year of inactivity', { type: 'inactivity', value: 1, unit: 'year' }, []],
    ['inactivity without anything', { type: 'inactivity' }, ['expiry.value required', 'expiry.unit required']],
    ['inactivity of no time', { type: 'inactivity', value: 0, unit: 'day' }, ['expiry.value minimum']],
  ] as const)('are checked when the expiry is %s', (_, terms, expected) => {
    expect(pathsAndKinds(expiryFaults(terms))).toEqual(expected);
  });

  test('may be absent', () => {
    expect([...escrowFaults(undefined), ...expiryFaults(undefined)]).toEqual([]);
  });
});
