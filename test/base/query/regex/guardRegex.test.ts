import { guardRegex, guardRegexOptions } from '#base/query/regex/guardRegex';
import { refusal } from '../refusal';

const short = { length: 255, count: 1 };
const body = { length: 2 ** 20, count: 1 };
const guard = (source: string, texts = short, options = '') => guardRegex({ source, options, texts, where: 'it' });

describe('a regular expression that is allowed', () => {
  it.each([
    ['', ''],
    ['gold', 'gold'],
    ['^gold$', '^gold$'],
    ['gold|golden|gold-plus', 'gold|golden|gold\\-plus'],
    ['colou?r', 'colou{0,1}r'],
    ['a.*b.*c', 'a.*b.*c'],
    ['\\d{3}-\\d+x', '\\d{3}\\-\\d+x'],
    ['[a-z_][a-z0-9_-]*x', '[a-z_][a-z0-9_\\-]*x'],
    ['[^,;]@example\\.com$', '[^\\,\\;]\\@example\\.com$'],
    ['\\bx\\B', '\\bx\\B'],
    ['çà.+é😀', 'çà.+é😀'],
    ['[😀-😂]+x', '[😀-😂]x'],
    ['a\\{b\\}', 'a\\{b\\}'],
    ['[\\]\\^\\-a-]', '[\\]\\^\\-a\\-]'],
    ['\\d{1,3}\\.\\d{1,3}', '\\d\\.\\d'],
    ['^\\d{1,3}\\.\\d{1,3}$', '^\\d{1,3}\\.\\d{1,3}$'],
    // Any punctuation may be escaped, because tools that escape texts do so.
    ['a\\-b\\ c\\@d\\#e\\/', 'a\\-b c\\@d\\#e\\/'],
    ['\\x41\\u0042\\u{43}\\t', 'ABC\\x09'],
  ])('%s', (source, input) => {
    expect(guard(source)).toBe(input);
  });

  it.each([
    ['at the ends stands for its least, since it decides nothing more', 'a*gold.*', 'gold'],
    ['at the ends stands for its least, again and again', '.*.*x{2,}gold\\d{2,3}[a-z]?.*', 'x{2}gold\\d{2}'],
    ['may be lazy, which decides nothing', 'a.*?b.{1,3}?c', 'a.*b.{1,3}c'],
    ['of nothing is nothing', 'ax{0}b', 'ab'],
  ])('where a repetition %s', (_, source, input) => {
    expect(guard(source)).toBe(input);
  });

  it.each([
    ['^(gold|silver)$', '^gold$|^silver$'],
    ['(?:a|b)(c|d)', 'ac|ad|bc|bd'],
    ['gold(en|)', 'golden|gold'],
    ['((a)|(b))', 'a|b'],
    ['(|)(|)(|)', ''],
  ])('where a group stands for its alternatives: %s', (source, input) => {
    expect(guard(source)).toBe(input);
  });
});

describe('a regular expression that is refused', () => {
  const repeatsGroup = 'repeats a group; repeat single characters and classes only';
  const multiplied = 'has more than 32 alternatives';
  const long = 'could take too long on a text of 255 characters';
  it.each([
    ['(|)'.repeat(12), multiplied],
    [`${'(|)'.repeat(12)}[bx][cd]`, multiplied],
    ['(a|b)'.repeat(6), multiplied],
    [`a${'|a'.repeat(32)}`, multiplied],
    ['(a?){20}', repeatsGroup],
    ['(a+)+', repeatsGroup],
    ['(?:ab)+', repeatsGroup],
    ['((a*)b)*', repeatsGroup],
    ['(a|ab)?', repeatsGroup],
    ['^x(a+)*y', 'it: (a+)* repeats a group'],
    ['(?:){200}', repeatsGroup],
    ['a{1,200}{1,200}', 'is no regular expression: Nothing to repeat'],
    ['a**', 'Nothing to repeat'],
    ['a++', 'Nothing to repeat'],
    ['*a', 'Nothing to repeat'],
    ['^*', 'Nothing to repeat'],
    ['\\b+', 'Nothing to repeat'],
    ['(*COMMIT)', 'Nothing to repeat'],
    ['(*UTF8)a', 'Nothing to repeat'],
    ['(', 'Unterminated group'],
    [')', 'Unmatched'],
    ['[a', 'Unterminated character class'],
    ['a{2,1}', 'numbers out of order'],
    ['a{,3}', 'is no regular expression'],
    ['a{b}', 'is no regular expression'],
    ['[z-a]', 'out of order'],
    ['[]', 'is an empty class'],
    ['[^]', 'is an empty class'],
    ['[[:alpha:]]', 'is no regular expression'],
    ['(?=a)', '(?=a) looks around'],
    ['(?!a)', 'looks around'],
    ['(?<=a)', 'Invalid group'],
    ['(?<n>a)', 'Invalid group'],
    ['(?P<n>a)', 'Invalid group'],
    ['(?>a)', 'Invalid group'],
    ['(?|a|b)', 'Invalid group'],
    ['(?i)a', 'Invalid group'],
    ['(?i:a)', 'Invalid group'],
    ['(?R)', 'Invalid group'],
    ['(?1)', 'Invalid group'],
    ['(?(1)a|b)', 'Invalid group'],
    ['(?#x)', 'Invalid group'],
    ['(a)\\1', '\\1 is not known here'],
    ['\\1', 'is no regular expression'],
    ['\\0', 'is no character of a text'],
    ['a\0', 'is no character of a text'],
    ['\\x01', 'is no character of a text'],
    ['\\uD800', 'is no character of a text'],
    ['\uD800', 'is no character of a text'],
    ['[\\b]', 'is no character of a text'],
    ['\\p{L}', 'is no regular expression'],
    ['\\cA', 'is no character of a text'],
    ...['Q', 'E', 'R', 'K', 'X', 'A', 'z', 'Z', 'G', 'h', 'H', 'V', 'N', 'C', 'g{1}', 'k<n>', 'a', 'e', 'o{1}'].map(
      (letter): [string, string] => [`\\${letter}`, 'is no regular expression'],
    ),
    ['\\', 'is no regular expression'],
    ['a'.repeat(257), 'at most 256 characters'],
    ['a{1,1001}b', 'repeats at most 1000 times'],
    ['^a.*b.*c.*d.*e', `${long}, most of all ^a.*b.*c.*d.*e: begin it with ^, repeat less`],
    [`x${'a?'.repeat(18)}x`, long],
    [`x${'a{1,50}'.repeat(3)}x`, long],
  ])('%j', (source, message) => {
    expect(refusal(() => guard(source))).toContain(message);
  });
});

describe('the repetition that a regular expression may have', () => {
  it.each<[string, typeof short, boolean]>([
    ['a.*b.*c', short, true],
    ['a.*b.*c', { length: 300, count: 1 }, false],
    ['a.*b.*c', { length: 255, count: 2 }, false],
    ['a.*b', { length: 100, count: 100 }, true],
    ['a.*b', { length: 255, count: 1000 }, false],
    ['a.*b', { length: 2000, count: 1 }, true],
    ['a.*b', body, false],
    ['^a.*b', body, true],
    ['^a.*b.*c', body, false],
    ['gold', body, true],
    ['gold card of 2026', body, true],
    ['gold|silver', body, true],
    // In a text of many a, a match compares twenty characters from every a.
    [`${'a'.repeat(20)}b`, body, false],
    [`^${'a'.repeat(20)}b`, body, true],
  ])('is smaller for more and longer texts: %s on %j', (source, texts, isAllowed) => {
    const met = () => guard(source, texts);
    if (isAllowed) expect(met()).toBe(source);
    else expect(refusal(met)).toContain('could take too long');
  });

  it('is smaller where ^ matches the start of any line', () => {
    expect(guard('^a.*b', body, 's')).toBe('^a.*b');
    expect(refusal(() => guard('^a.*b', body, 'm'))).toContain('could take too long');
    expect(refusal(() => guard('^a.*b|c.*d', body))).toContain('most of all c.*d');
  });
});

it.each(['', 'i', 'm', 's', 'ims', 'smi'])('the options %j are allowed', (options) => {
  expect(guardRegexOptions(options, 'it')).toBe(options);
});

it.each(['x', 'u', 'g', 'ii', 'imsx', 'I', ' ', 1, null, {}])('the options %j are refused', (options) => {
  expect(refusal(() => guardRegexOptions(options, 'it'))).toContain('letters i, m, s');
});
