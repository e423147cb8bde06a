import fc from 'fast-check';
import { nextSpread, ownerOf, rankedFor, spreadLimits } from '#activities/handOver/owners';

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

test('all processes rank each other alike, whatever the order in which they know each other', () => {
  fc.assert(
    fc.property(fc.string(), names, (org, processes) => {
      expect(rankedFor(org, [...processes].reverse())).toEqual(rankedFor(org, processes));
    }),
  );
});

test('when a process goes, the others keep their order', () => {
  fc.assert(
    fc.property(fc.string(), names, (org, processes) => {
      const [gone, ...others] = processes;
      expect(rankedFor(org, others)).toEqual(rankedFor(org, processes).filter((name) => name !== gone));
    }),
  );
});

test('orgs are shared out among the processes', () => {
  const processes = ['a', 'b', 'c', 'd'];
  const firsts = Array.from({ length: 400 }, (_unused, n) => rankedFor(`org ${n}`, processes)[0] ?? '');
  for (const name of processes) {
    const share = firsts.filter((first) => first === name).length;
    expect(share).toBeGreaterThan(50);
    expect(share).toBeLessThan(150);
  }
});

test('one process owns all members of an org, or as many processes as it is spread over own about equal parts', () => {
  const ranked = ['a', 'b', 'c', 'd'];
  const members = Array.from({ length: 1000 }, (_unused, n) => `member ${n}`);
  const owners = (spread: number) => members.map((member) => ownerOf(ranked, spread, member));
  expect(new Set(owners(1))).toEqual(new Set(['a']));
  expect(new Set(owners(2))).toEqual(new Set(['a', 'b']));
  expect(owners(4).filter((owner) => owner === 'd').length).toBeGreaterThan(150);
  // The first process may tell a spread from when there were more processes.
  expect(new Set(owners(8))).toEqual(new Set(ranked));
});

test.each([
  ['with little to do, one owner stays', 1, 10, 4, 1],
  ['one owner whose groups are full gets a second one', 1, spreadLimits.fullAt + 1, 4, 2],
  ['two owners become four at most, one for each process', 2, 1000, 3, 3],
  ['a single process owns everything', 1, 1000, 1, 1],
  ['two owners stay while one could not take all', 2, spreadLimits.emptyAt, 4, 2],
  ['two owners become one when that one takes all', 2, spreadLimits.emptyAt - 1, 4, 1],
  ['four owners become two first', 4, 0, 4, 2],
  ['owners that are gone do not count', 4, 400, 2, 2],
])('%s', (_what, spread, pending, processes, expected) => {
  expect(nextSpread(spread, pending, processes)).toBe(expected);
});

test('a number of owners that is reached by growing is not given up at the same load', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 5000 }), (spread, pending) => {
      const next = nextSpread(spread, pending, 16);
      if (next > spread) expect(nextSpread(next, pending, 16)).toBeGreaterThanOrEqual(next);
    }),
  );
});
