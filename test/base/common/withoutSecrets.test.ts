import fc from 'fast-check';
import { createLog } from '#base/common/log';
import { withoutSecrets } from '#base/common/withoutSecrets';

test.each([
  ['an API key', { msg: 'failed with lk_live_0123456789abcdef' }, 'lk_live'],
  ['the secret part of an API key', { path: '/x/lk_0123456789abcdef01234567_Sup3rS3cret' }, 'Sup3r'],
  ['a secret of a webhook', { url: 'x', note: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }, 'C2FVsBQ'],
  ['a token', { deep: { deeper: { text: 'eyJhbGciOi.eyJzdWIiOiIx.abc-_1' } } }, 'eyJ'],
  ['a header', { headers: { raw: 'Authorization: Bearer abc.def' } }, 'abc.def'],
  ['a header of names', { raw: 'authorization: Basic dXNlcjpwYXNz' }, 'dXNlcjpwYXNz'],
  ['an address of a store', { err: new Error('mongodb://loyalty:pa55word@mongo:27017/x') }, 'pa55word'],
  ['an address of Redis', { address: 'redis://:pa55word@redis:6379' }, 'pa55word'],
  ['an e-mail in a query', { path: '/members?email=jane%40example.com&x=1' }, 'jane'],
  ['a phone in a query', { path: '/members?limit=1&phone=+4912345' }, '4912345'],
  ['an e-mail anywhere', { msg: 'no member jane.doe+shop@example.co.uk here' }, 'jane'],
  ['a password deep below', { a: { b: { c: { password: 'hunter2hunter2' } } } }, 'hunter2'],
  ['a password at the top', { password: 'hunter2hunter2' }, 'hunter2'],
  ['a secret one level below', { webhook: { secret: 'plain words' } }, 'plain'],
])('%s does not reach the log, and the line stays JSON', (_what, fields, secret) => {
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: 'info' }, { write: (line: string) => void lines.push(line) });
  log.info(fields, 'a line');
  log.child(fields).info('another line');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.anything(), 'another line']);
  expect(lines.join('')).not.toContain(secret);
  expect(lines.join('')).toContain('[Redacted]');
});

test.each([
  { requestId: 'r-1', route: '/users/:id', status: 200, path: '/api/v1/users/0123456789abcdef01234567' },
  { submission: '0123456789abcdef01234567', key: 'till-7-2026-01-01', type: 'Accrual', waitedMs: 3 },
  { apiKey_id: `lk_${'0123456789abcdef01234567'}`, msg: 'used' },
  { rule: 'earn', program: 'shop', version: 3, everyMs: 1000, at: ['    at f (/app/dist/src/main.js:1:2)'] },
])('a line without secrets stays as it is', (fields) => {
  const line = JSON.stringify(fields);
  expect(withoutSecrets(line)).toBe(line);
});

test('any line stays JSON of the same shape', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('lk_abcd"efgh', 'Bearer x\\"y', '?email=a"b', 'a@b.c', '://u:p"w@h', 'whsec_\\', '"password":"x"'),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'msg'), fc.array(text, { maxLength: 3 })), (fields) => {
      const clean = JSON.parse(withoutSecrets(JSON.stringify(fields)));
      expect(Object.keys(clean)).toEqual(Object.keys(fields));
      for (const [key, list] of Object.entries(fields)) expect(clean[key]).toHaveLength(list.length);
    }),
  );
});

test.each(['lk_', 'a', '@', 'a@', 'a.a@a.', '://:', '://a', '"password":"', 'Bearer ', '?email=', 'eyJaaaa.', '":"=@'])(
  'the time for a long line of %p grows with its length only',
  (piece) => {
    const timeOf = (length: number) => {
      const line = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      let best = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 3; n += 1) {
        const startedAt = process.cpuUsage();
        withoutSecrets(line);
        const { user } = process.cpuUsage(startedAt);
        best = Math.min(best, user);
      }
      return best;
    };
    // Four times the length; quadratic work would take sixteen times as long.
    expect(timeOf(400_000)).toBeLessThan(Math.max(200_000, 10 * timeOf(100_000)));
  },
);
