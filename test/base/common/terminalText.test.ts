import fc from 'fast-check';
import { progressTo } from '#base/common/progressTo';
import { terminalText } from '#base/common/terminalText';
import { processStreams } from '#commands/base/runCommand';

/** Every character that a terminal obeys, by Unicode's own categories. */
const obeyed = /[^\P{Cc}\t\n]|[\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;

const hostile = fc.string({
  unit: fc.oneof(
    fc.nat(0x2fff).map((code) => String.fromCharCode(code)),
    fc.constantFrom('\u001b[2J', '\u009b31m', '\ud800'),
  ),
});

test('commands of a terminal are removed from any text, and nothing else is changed', () => {
  fc.assert(fc.property(hostile, (text) => expect(terminalText(text)).not.toMatch(obeyed)));
  const plain = fc.string({ unit: 'grapheme' }).filter((text) => !obeyed.test(text));
  fc.assert(fc.property(plain, (text) => expect(terminalText(text)).toBe(text)));
});

test.each([
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\u009b2Jb', 'a\\u009b2Jb'],
  ['over\rwritten', 'over\\u000dwritten'],
  ['lone \ud800', 'lone \\ud800'],
  ['exe\u202etxt', 'exe\\u202etxt'],
  ['ordinary\ttext\n😀 é', 'ordinary\ttext\n😀 é'],
])('%j is shown as %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('commands and the progress of a start write no commands to the terminal', () => {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  const out = jest.spyOn(process.stdout, 'write').mockImplementation(write);
  const err = jest.spyOn(process.stderr, 'write').mockImplementation(write);
  try {
    processStreams.out('a\u001b[2J');
    processStreams.err('b\u009b2J');
    progressTo({ write })('c\u0007');
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  expect(written).toEqual(['a\\u001b[2J\n', 'b\\u009b2J\n', 'c\\u0007\n']);
});
