import fc from 'fast-check';
import { validTraceparent } from '#base/tracing/tracer';

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const zero = (text: string) => [...text].every((digit) => digit === '0');

test('a context of version 00 with ids other than zero is valid', () => {
  fc.assert(
    fc.property(hex(32), hex(16), hex(2), (trace, span, flags) => {
      const sent = `00-${trace}-${span}-${flags}`;
      expect(validTraceparent(sent)).toBe(zero(trace) || zero(span) ? undefined : sent);
    }),
  );
});

test.each([
  undefined,
  '',
  '00',
  `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
  `00-${'A'.repeat(32)}-${'1'.repeat(16)}-01`,
  `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01-extra`,
  `01-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01\n`,
  '1'.repeat(100_000),
])('%p is not valid', (sent) => expect(validTraceparent(sent)).toBeUndefined());
