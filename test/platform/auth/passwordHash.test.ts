import { hashLimits, hashPassword, passwordFits } from '#platform/auth/passwordHash';
import { stopwatch } from '../../support/givenTime';

const guess = (password: string, passwordHash: string | undefined, admit = async () => {}) =>
  passwordFits({ password, passwordHash, isPreferred: false, admit });

test('a password fits its own hash, no other, and nobody has the password of unknown users', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(await guess('correct horse battery', stored)).toBe(true);
  expect(await guess('correct horse batterx', stored)).toBe(false);
  expect(await guess('a password that nobody has', undefined)).toBe(false);
});

test('a password that is not admitted is not checked', async () => {
  const admit = async () => {
    throw new Error('not admitted');
  };
  // 'no hash' is not a valid hash, so verifying it would throw another error.
  await expect(guess('x', 'no hash', admit)).rejects.toThrow('not admitted');
});

test('of many passwords at once a few are checked, a few wait, and the rest is refused at once', async () => {
  await guess('warm-up', undefined);
  const many = 2 * hashLimits.waitingMax;
  let admitted = 0;
  const admit = async () => {
    admitted += 1;
  };
  const takenMs = stopwatch();
  const ends = await Promise.allSettled(Array.from({ length: many }, () => guess('wrong', undefined, admit)));
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(refused.length).toBeGreaterThanOrEqual(many - hashLimits.waitingMax - hashLimits.atOnce);
  expect(admitted).toBe(many - refused.length);
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 1310, status: 503, details: { headers: { 'Retry-After': '1' } } });
  }
  // No call waits for all others. At `waitMaxMs` all waiting calls are refused, and only those being verified remain.
  expect(takenMs()).toBeLessThan(3 * hashLimits.waitMaxMs);
});
