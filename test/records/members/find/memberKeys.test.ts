import fc from 'fast-check';
import { keyedFields, memberKeys, searchFilter } from '#records/members/find/memberKeys';
import { searchForm, splitNameWords, wordMax } from '#records/members/find/searchForm';

const letters = fc.string({ unit: fc.constantFrom(...'abcmnAEéÉüßłøΣσςжЖй李'), minLength: 1, maxLength: 14 });
const name = fc.array(letters, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

describe('searchForm', () => {
  it.each([
    ['  Anna   MEI ', 'anna mei'],
    ['Müller', 'muller'],
    ['Mu\u0308ller', 'muller'],
    ['GROẞ Straße', 'gross strasse'],
    ['Ørsted Łukasz İpek ﬁn', 'orsted lukasz ipek fin'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ])('%s is %s', (text, expected) => {
    expect(searchForm(text)).toBe(expected);
  });

  it('leaves a search form unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(searchForm(searchForm(text))).toBe(searchForm(text))),
    );
  });
});

test.each([
  ["O'Brien", ['obrien']],
  ['Mei-Ling van der Héyden', ['mei', 'ling', 'van', 'der', 'heyden']],
  ['St. John', ['st', 'john']],
  ['Wolfeschlegelsteinhausen', ['wolfeschlege']],
  ['- .', []],
])('the words of %s are found', (text, words) => {
  expect(splitNameWords(text)).toEqual(words);
});

test('a name that begins with letters, in any case, has their key', () => {
  fc.assert(
    fc.property(name, fc.nat(), fc.boolean(), (lastName, cut, isUpper) => {
      const [word = ''] = lastName.split(' ');
      const start = [...word].slice(0, 1 + (cut % [...word].length)).join('');
      const typed = isUpper ? start.toUpperCase() : start.toLowerCase();
      // As a regular expression it does not match: toUpperCase makes two letters of ß.
      fc.pre(new RegExp(`^${typed}`, 'iu').test(lastName));
      const key = keyedFields.lastName?.beginningOf?.(typed);
      expect(memberKeys({ loyaltyIDs: [], firstName: 'A B C D E F', lastName })).toContain(key);
    }),
  );
});

test('a member has at most the number of keys that are stored', () => {
  const long = Array.from({ length: 40 }, (_unused, n) => `${'abcdefghijklmnop'.slice(n % 3)}${n}`).join(' ');
  const loyaltyIDs = Array.from({ length: 200 }, (_unused, n) => `${'ﷺ'.repeat(90)}${n}`);
  const keys = memberKeys({
    loyaltyIDs,
    firstName: long,
    lastName: long,
    email: `${'a'.repeat(60)}@b.example`,
    phone: '1'.repeat(50),
  });
  expect(keys.length).toBeLessThanOrEqual(500);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(300);
});

describe('searchFilter', () => {
  const anna = {
    firstName: 'Anna Maria',
    lastName: 'van der Meï',
    email: 'Anna@Example.com',
    phone: '+49 151 23456789',
  };
  const keys = memberKeys({ ...anna, loyaltyIDs: ['CARD-77', '4711 0815'] });

  it.each([
    'anna',
    'ANNA MEI',
    'mei anna',
    'a m',
    'an me',
    'maria v d mei',
    'mei',
    'van der mei',
    '  meï,  anna ',
    'anna@example.COM',
    'card-77',
    '4711 0815',
    '0151 23456789',
    '0049 151 23456789',
  ])('finds by %s', (text) => {
    expect(meets(searchFilter(text), keys)).toBe(true);
  });

  it.each(['anne', 'anna meier', 'nna', 'anna paul', 'anna@example.co', 'card-7', '0151 2345678', 'an xe', '-'])(
    'does not find by %s',
    (text) => {
      expect(meets(searchFilter(text), keys)).toBe(false);
    },
  );

  it('finds members with a word that begins with each typed word', () => {
    fc.assert(
      fc.property(name, name, name, (firstName, lastName, text) => {
        const own = splitNameWords(`${firstName} ${lastName}`);
        const has = splitNameWords(text).every((start) => own.some((word) => word.startsWith(start)));
        expect(meets(searchFilter(text), memberKeys({ loyaltyIDs: [], firstName, lastName }))).toBe(has);
      }),
    );
  });

  it('finds whole names by any of their beginnings, in any order', () => {
    fc.assert(
      fc.property(name, name, fc.array(fc.nat(wordMax), { maxLength: 6 }), (firstName, lastName, cuts) => {
        const starts = splitNameWords(`${lastName} ${firstName}`).map((word, n) =>
          [...word].slice(0, 1 + (cuts[n] ?? 3)).join(''),
        );
        expect(meets(searchFilter(starts.join(' ')), memberKeys({ loyaltyIDs: [], firstName, lastName }))).toBe(true);
      }),
    );
  });
});

interface Expression {
  $or?: Expression[];
  $and?: Expression[];
  $in?: [string, unknown];
}

/** Evaluates the operators that such a filter has. */
function meets(filter: Record<string, unknown>, keys: readonly string[]): boolean {
  const { searchKeys, $expr, ...others } = filter as { searchKeys: { $in: string[] }; $expr?: Expression };
  expect(others).toEqual({});
  return searchKeys.$in.some((key) => keys.includes(key)) && (!$expr || isTrue($expr, keys));
}

function isTrue({ $or, $and, $in }: Expression, keys: readonly string[]): boolean {
  if ($or) return $or.some((each) => isTrue(each, keys));
  if ($and) return $and.every((each) => isTrue(each, keys));
  return $in !== undefined && keys.includes($in[0]);
}
