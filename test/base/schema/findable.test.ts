import fc from 'fast-check';
import { identifier } from '#base/schema/atoms';
import {
  byForm,
  comparable,
  findableFault,
  findablePattern,
  folded,
  soughtForms,
  toCodeKey,
} from '#base/schema/findable';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import { isLong, runSeed, scaled } from '../../support/scale';

/** What Unicode counts to the white space (PropList.txt), written out: the code under test asks the engine. */
const whiteSpace = [
  0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0x2000, 0x2001, 0x2002,
  0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
];

/** Characters that nobody sees, from reports of people who lost records to them. */
const unseen = [
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202c,
  0x202e, 0x2060, 0x2061, 0x2066, 0x2069, 0x206a, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1d173,
  0xe0001, 0xe0020, 0xe007f, 0xe0100,
];

const shown = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
const both = ['identifier', 'name'] as const;

describe.each(both)('a text of the kind %s', (kind) => {
  it.each(whiteSpace.map((code) => [shown(code), String.fromCodePoint(code)]))(
    'has no %s at an end, and within it only plain blanks',
    (code, space) => {
      expect(findableFault(`${space}S`, kind)?.message).toBe(`must not begin with white space (${code})`);
      expect(findableFault(`S${space}`, kind)?.message).toBe(`must not end with white space (${code})`);
      const within = findableFault(`Sé${space}T`, kind);
      if (space === ' ') expect(within).toBeUndefined();
      else expect(within?.message).toBe(`must have no white space but plain blanks (character 3 is ${code})`);
    },
  );

  it.each(unseen.map((code) => [shown(code), String.fromCodePoint(code)]))('has no %s', (code, hidden) => {
    for (const [text, at] of [
      [`${hidden}S`, 1],
      [`S${hidden}T`, 2],
      [`😀ST${hidden}`, 4],
    ] as const)
      expect(findableFault(text, kind)?.message).toBe(`must have no invisible characters (character ${at} is ${code})`);
  });

  it.each([
    'S',
    'L-1001',
    'TEA 1',
    'Bonus Points',
    "it's",
    'x]y',
    'Prämie',
    '黄金',
    'นิธิ',
    'हिन्दी',
    '😀',
    '€ 5',
    'ΑΣ',
    '-',
    '0',
  ])('may be %s', (text) => expect(findableFault(text, kind)).toBeUndefined());
});

it.each(['می‌خواهم', 'क्‍ष', '❤️ Club', '👩‍🚀 Crew', '1️⃣ Start', '🏳️‍🌈'])(
  'a name may be %s, which needs its joiners',
  (text) => {
    expect(findableFault(text, 'name')).toBeUndefined();
    expect(findableFault(text, 'identifier')?.message).toMatch('invisible');
  },
);

it('a name may not have a joiner without a use', () => {
  for (const text of ['Go\u200Dld', 'Gold\u200C', 'Gold\uFE0F', '\u200CGold', 'می\u200C']) {
    expect(findableFault(text, 'name')?.message).toMatch('invisible');
  }
});

const parse = compileParse(identifier(5));
const faultsOf = (text: string) => {
  const parsed = parseOrFaults(() => parse(text));
  return 'faults' in parsed ? parsed.faults : [];
};

it('a parser refuses with the kind identifier, and counts the characters of the stored form', () => {
  expect(faultsOf('S ')).toMatchObject([
    { path: '', kind: 'identifier', message: 'must not end with white space (U+0020)' },
  ]);
  expect(faultsOf('\u0958\u0958\u0958')).toMatchObject([
    { kind: 'identifier', message: 'must NOT have more than 5 characters' },
  ]);
});

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const accents = fc.array(fc.constantFrom('e', '\u0301', 'A', '\u030A', 'ö', 'Å', '가', 'ᄀ', 'ᅡ', ' ', '\t'), {
  maxLength: 8,
});

describe('any text', () => {
  it('is stored in one form, which is found by all forms of the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          accents.map((all) => all.join('')),
        ),
        (text) => {
          const stored = comparable(text);
          expect(stored).toBe(text.normalize('NFC'));
          for (const form of ['NFC', 'NFD'] as const) {
            expect(comparable(text.normalize(form))).toBe(stored);
            // A record of an earlier version, in either form, is found by the text as it is read today.
            expect(soughtForms(stored)).toContain(text.normalize(form));
            expect(byForm([[text.normalize(form), 1]]).get(stored)).toBe(1);
          }
        },
      ),
      { numRuns: scaled(2000) },
    );
  });

  it('fits the documented pattern and is accepted again once it is accepted', () => {
    const documented = new RegExp(findablePattern, 'u');
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), (text) => {
        if (text === '' || findableFault(comparable(text), 'identifier') !== undefined) return;
        expect(findableFault(comparable(comparable(text)), 'identifier')).toBeUndefined();
        // Control characters are refused for every text alike.
        expect(/\p{Control}/u.test(text) || documented.test(comparable(text))).toBe(true);
      }),
      { numRuns: scaled(2000) },
    );
  });

  it('stays unchanged when it is folded again, for every tenth character', () => {
    const changed: string[] = [];
    const every = isLong ? 1 : 10;
    for (let code = runSeed() % every; code < 0x110000; code += every) {
      const text = String.fromCodePoint(code);
      if (folded(folded(text)) !== folded(text)) changed.push(shown(code));
    }
    expect(changed).toEqual([]);
  });
});

it('codes are equal without case, hyphens and blanks, but not with accents or letters of other alphabets', () => {
  for (const writing of ['7k3m-9qtx', '7K3M9QTX', ' 7K3M 9QTX ', '7K3M–9QTX', '７Ｋ３Ｍ－９ＱＴＸ'])
    expect(toCodeKey(writing)).toBe(toCodeKey('7K3M-9QTX'));
  for (const other of ['7K3M-9QTY', '7К3M-9QTX', '7K3M-9QTẌ'])
    expect(toCodeKey(other)).not.toBe(toCodeKey('7K3M-9QTX'));
  expect(toCodeKey('-')).not.toBe('');
});

it('names of users are equal in any case and width, but not when they only look alike', () => {
  expect(folded('ᴮᴵᴳᴮᴵᴿᴰ')).toBe('bigbird');
  expect(folded('ＡＤＭＩＮ')).toBe('admin');
  expect(folded('mıke@example.org')).not.toBe(folded('mike@example.org'));
  expect(folded('аdmin')).not.toBe('admin');
});
