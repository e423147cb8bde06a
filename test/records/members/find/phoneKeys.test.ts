import fc from 'fast-check';
import { phoneKeys, soughtPhoneKeys } from '#records/members/find/phoneKeys';

const isFound = (sought: string, stored: string) => {
  const keys = phoneKeys(stored);
  return soughtPhoneKeys(sought).some((key) => keys.includes(key));
};

/** Writings of one number each: of Germany, the USA, Norway, Italy, Russia, Kenya. */
const writings: readonly (readonly string[])[] = [
  [
    '+49 151 23456789',
    '0049 151 23456789',
    '+49 (0)151/234 567-89',
    '4915123456789',
    ' 49 151 23456789',
    'tel:+49-151-23456789',
    '＋４９１５１２３４５６７８９',
    '0151 23456789',
    '(0151) 234 567 89',
    '015123456789',
  ],
  ['+1 (415) 555-2671', '001 415 555 2671', '1-415-555-2671', '14155552671', '(415) 555-2671', '415.555.2671'],
  ['+47 22 12 34 56', '0047 22123456', '4722123456', '22 12 34 56', '22123456'],
  ['+39 06 1234 5678', '0039 06 12345678', '390612345678', '06 1234 5678'],
  ['+7 916 123-45-67', '007 9161234567', '79161234567', '8 (916) 123-45-67', '9161234567'],
  ['+254 712 345678', '00254712345678', '254712345678', '0712 345678'],
];

test.each(writings)('%s is found by every notation, however it is stored', (...all) => {
  for (const stored of all)
    for (const sought of all)
      expect({ stored, sought, is: isFound(sought, stored) }).toEqual({ stored, sought, is: true });
});

test('different numbers are not found', () => {
  const [first, ...others] = writings.map(([number]) => number ?? '');
  for (const other of [
    ...others,
    '+49 151 23456780',
    '+49 151 2345678',
    '+43 151 23456789',
    '0043 151 23456789',
    '4315123456789',
  ]) {
    expect({ other, is: isFound(other, first ?? '') }).toEqual({ other, is: false });
    expect({ other, is: isFound(first ?? '', other) }).toEqual({ other, is: false });
  }
});

test('a number without calling code is found by equal numbers within a country', () => {
  expect(isFound('+43 151 23456789', '0151 23456789')).toBe(true);
  expect(isFound('0151 23456789', '+43 151 23456789')).toBe(true);
});

test('every text finds itself and has few keys', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789+ ()-/.'), maxLength: 20 });
  fc.assert(
    fc.property(fc.oneof(digits, fc.string({ unit: 'binary', maxLength: 50 })), (text) => {
      expect(isFound(text, text)).toBe(true);
      expect(phoneKeys(text).length).toBeLessThanOrEqual(4);
    }),
  );
});
