import { createHash } from 'node:crypto';
import { fc, test } from '@fast-check/jest';
import { addCanonicalJson, canonicalJson } from '#base/common/canonicalJson';

const body = fc.object({ maxDepth: 5, maxKeys: 4, withBigInt: false, withDate: false, withMap: false, withSet: false });

/** The value with the fields of every object in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, child]) => [name, turned(child)]),
  );
}

async function hashOf(value: unknown): Promise<string> {
  const hash = createHash('sha256');
  await addCanonicalJson(hash, value);
  return hash.digest('hex');
}

const parsed = (value: unknown) => JSON.parse(JSON.stringify(value));

test.prop([body])('the order of fields does not change the text or the hash', async (sent) => {
  const value = parsed(sent);
  expect(parsed(JSON.parse(canonicalJson(value)))).toEqual(value);
  expect(canonicalJson(turned(value))).toBe(canonicalJson(value));
  expect(await hashOf(turned(value))).toBe(await hashOf(value));
});

test.prop([body, body])('two texts are equal exactly when their hashes are', async (one, other) => {
  const [left, right] = [parsed(one), parsed(other)];
  expect((await hashOf(left)) === (await hashOf(right))).toBe(canonicalJson(left) === canonicalJson(right));
});

test.each([
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: [[1], 2] }, { a: [[1, 2]] }],
  [{ a: '1' }, { a: 1 }],
  [{ a: {} }, { a: [] }],
  [{ a: null }, {}],
  [{ a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
  [{ 'a,b': 1 }, { a: 1, b: 1 }],
])('%j and %j have different hashes', async (one, other) => {
  expect(await hashOf(one)).not.toBe(await hashOf(other));
});
