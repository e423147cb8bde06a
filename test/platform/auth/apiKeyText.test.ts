import { ObjectId } from 'bson';
import fc from 'fast-check';
import { apiKeyPrefix, makeApiKeyText, readApiKeyText } from '#platform/auth/apiKeyText';
import { scaled } from '../../support/scale';

const keys = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => {
  const id = new ObjectId(bytes);
  return { id, ...makeApiKeyText(id) };
});

test('the text of a key leads to its id and its stored hash', () => {
  fc.assert(
    fc.property(keys, ({ id, text, hash }) => {
      expect(text).toMatch(/^lk_[0-9a-f]{24}_[0-9A-Za-z]{39}$/);
      expect(text.startsWith(`${apiKeyPrefix(id)}_`)).toBe(true);
      expect(readApiKeyText(text)).toEqual({ keyId: id, hash });
    }),
    { numRuns: scaled(100) },
  );
});

test('a text with one wrong, missing, doubled or swapped character is refused without a read', () => {
  const chars = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- '];
  fc.assert(
    fc.property(keys, fc.nat(66), fc.constantFrom(...chars), ({ text }, at, char) => {
      const [before, own = '', next = '', after] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
      const mistyped = [before + char + next + after, before + next + after, before + own + own + next + after];
      for (const each of [...mistyped, before + next + own + after]) {
        if (each !== text) expect(readApiKeyText(each)).toBeUndefined();
      }
    }),
    { numRuns: scaled(100) },
  );
});

test.each(['', 'lk_', `lk_${'a'.repeat(64)}`, `LK_${'a'.repeat(24)}_${'b'.repeat(39)}`, `lk_${'é'.repeat(64)}`])(
  'the text %j is refused',
  (text) => {
    expect(readApiKeyText(text)).toBeUndefined();
  },
);

test('two texts of one key have only its id in common', () => {
  const id = new ObjectId();
  const [one, two] = [makeApiKeyText(id), makeApiKeyText(id)];
  expect(one.hash).not.toBe(two.hash);
  expect(one.text.slice(28)).not.toBe(two.text.slice(28));
});
