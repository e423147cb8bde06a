import { guardRegex } from '../../src/query/guardRegex';
import { refusal } from './refusal';

const guard = (source: string, options = '', maxLength?: number) =>
  guardRegex({ source, options, maxLength, where: 'it' });

describe('a regular expression that is allowed', () => {
  it.each([
    '',
    'gold',
    '^gold$',
    '^(gold|silver|bronze)$',
    'a.*b.*c',
    '\\d{3}-\\d+',
    '[a-z_][a-z0-9_-]*',
    '[^,;]+@example\\.com$',
    '(?:ab)+c',
    '(ab|cd)*',
    '(a|[b-d]x)*',
    '(\\d|[a-z])+',
    '(a+)?',
    'colou?r',
    'a{2,5}?',
    'a+?b',
    '\\bx\\b',
    'çà.+é',
    'a\\{b\\}',
    'a]b}c',
    '[]\\]]'.slice(2),
    '[a-]',
    '[-a]',
    '[\\w-]+',
    '(ab){3}',
    'gold|golden|gold-plus',
    '^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$',
    '^[\\w.]+@[\\w.]+\\.[a-z]+$',
  ])('%s', (source) => {
    expect(guard(source, 'i', 255)).toBe(source);
    expect(() => new RegExp(source)).not.toThrow();
  });
});

describe('a regular expression that is refused', () => {
  it.each([
    ['(a+)+', 'must not repeat within a repetition'],
    ['(a*)*$', 'must not repeat within a repetition'],
    ['(?:a+b?)*', 'must not repeat within a repetition'],
    ['((a)+)+', 'must not repeat within a repetition'],
    ['(x(a{1,9}))*', 'must not repeat within a repetition'],
    ['(a?){30}', 'must not repeat within a repetition'],
    ['(ab?){30}', 'must not repeat within a repetition'],
    ['((a{9}){9}){9}', 'must not repeat within a repetition'],
    ['(|a)+', 'must not repeat what may be empty'],
    ['(\\b)+', 'must not repeat what may be empty'],
    ['(a|a)*', 'alternatives that can begin alike'],
    ['(a|ab)+', 'alternatives that can begin alike'],
    ['(a|A)+', 'alternatives that can begin alike'],
    ['(.|a)*', 'alternatives that can begin alike'],
    ['(\\w|\\d)+', 'alternatives that can begin alike'],
    ['(\\W|[^a])+', 'alternatives that can begin alike'],
    ['([^a]|A)+', 'alternatives that can begin alike'],
    ['([a-f]|[e-z])+', 'alternatives that can begin alike'],
    ['(é|ü)+', 'alternatives that can begin alike'],
    ['(k|K)+', 'alternatives that can begin alike'],
    ['((a|ab)c)+', 'alternatives that can begin alike'],
    ['((a|b)|(b|c)){2,}', 'alternatives that can begin alike'],
    ['a*a*a*b', 'could take too long'],
    ['^a*a*a*a*b', 'could take too long'],
    ['.*a.*b.*c', 'could take too long'],
    ['a?'.repeat(18), 'could take too long'],
    ['(a|ab)'.repeat(18), 'could take too long'],
    ['(\\d{1,100})'.repeat(3), 'could take too long'],
    ['(', 'has a ( without ) (at character 2 of the regular expression)'],
    [')', 'has a ) without ('],
    ['[a', 'has a [ without ]'],
    ['[]', 'has an empty class'],
    ['[^]', 'has an empty class'],
    ['[z-a]', 'has a range'],
    ['[[:alpha:]]', 'must write [ within a class'],
    ['a**', 'repeats a repetition'],
    ['a++', 'repeats a repetition'],
    ['a{2}{3}', 'repeats a repetition'],
    ['a{3,2}', 'must write a repetition as {n,m} up to 100'],
    ['a{101}', 'must write a repetition as {n,m} up to 100'],
    ['a{1000}', 'must write a repetition as {n,m} up to 100'],
    ['a{,3}', 'must write a repetition as {n,m} up to 100'],
    ['a{b}', 'must write a repetition as {n,m} up to 100'],
    ['*a', 'has * with nothing to repeat'],
    ['^*', 'repeats a place'],
    ['(?=a)', 'may only group with ( ) and (?: )'],
    ['(?!a)', 'may only group with'],
    ['(?<=a)', 'may only group with'],
    ['(?<n>a)', 'may only group with'],
    ['(?>a)', 'may only group with'],
    ['(?i)a', 'may only group with'],
    ['(?R)', 'may only group with'],
    ['(?#x)', 'may only group with'],
    ['(*COMMIT)', 'has * with nothing to repeat'],
    ['(a)\\1', 'must not hold \\1'],
    ['\\0', 'must not hold \\0'],
    ['\\x41', 'must not hold \\x'],
    ['\\p{L}', 'must not hold \\p'],
    ['\\Qa\\E', 'must not hold \\Q'],
    ['\\R', 'must not hold \\R'],
    ['\\K', 'must not hold \\K'],
    ['[\\b]', 'must not hold \\b'],
    ['\\', 'must not hold \\'],
    ['a\0', 'must not hold the character NUL'],
    ['a'.repeat(257), 'at most 256 characters'],
  ])('%s', (source, message) => {
    expect(refusal(() => guard(source, '', 255))).toContain(message);
  });

  it('looks through the blanks and comments that option x ignores', () => {
    expect(refusal(() => guard('(a+ )+', 'x'))).toContain('must not repeat within a repetition');
    expect(refusal(() => guard('(a| a)*', 'x'))).toContain('alternatives that can begin alike');
    expect(refusal(() => guard('a+ +', 'x'))).toContain('repeats a repetition');
    expect(refusal(() => guard('(#)\na|a)+', 'x'))).toContain('alternatives that can begin alike');
    expect(guard('a\\ b # it is', 'x')).toBe('a\\ b # it is');
  });

  it('may repeat less the longer the texts of the field can be', () => {
    expect(guard('a.*b.*c', '', 255)).toBe('a.*b.*c');
    expect(refusal(() => guard('a.*b.*c', '', 1000))).toContain('could take too long');
    expect(guard('a.*b', '', 1000)).toBe('a.*b');
    expect(refusal(() => guard('a.*b'))).toContain('could take too long: begin it with ^');
    expect(guard('^a.*b')).toBe('^a.*b');
    expect(refusal(() => guard('^a.*b', 'm'))).toContain('could take too long');
    expect(refusal(() => guard('^a.*b|c.*d'))).toContain('could take too long');
    expect(guard('gold')).toBe('gold');
  });
});
