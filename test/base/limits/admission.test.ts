import fc from 'fast-check';
import { timeouts } from '#base/db/timeouts';
import { admissionLimits, createAdmission } from '#base/limits/admission';
import { scaled } from '../../support/scale';

/** How long a request may take, in milliseconds. */
const answerMs = timeouts.requestMs;
const { waitingMin, waitingMax, burstMs, windowMs } = admissionLimits;
const now = 77_000;

test.each([
  ['a burst has come', { waiting: waitingMax - 1, oldestMs: burstMs - 1 }, [], true],
  ['as many wait as may', { waiting: waitingMax, oldestMs: 0 }, [], false],
  ['no request has a time limit', { waiting: waitingMax - 1, oldestMs: undefined }, [], true],
  ['a batch waits for long', { waiting: waitingMin - 1, oldestMs: 4000 }, [], true],
  ['more wait and nothing is done', { waiting: waitingMin, oldestMs: burstMs }, [], false],
  [
    'less wait than was just done',
    { waiting: 999, oldestMs: 1500 },
    [
      [600, 900],
      [400, 10],
    ],
    true,
  ],
  [
    'as much waits as was just done',
    { waiting: 1000, oldestMs: 1500 },
    [
      [600, 900],
      [400, 10],
    ],
    false,
  ],
  [
    'it was done too long ago',
    { waiting: 999, oldestMs: 1500 },
    [
      [600, windowMs],
      [400, 10],
    ],
    false,
  ],
])('when %s, one more may wait or not', (_case, queued, batches, isOpen) => {
  const admission = createAdmission();
  for (const [size = 0, ago = 0] of batches) admission.noteDone(size, now - ago);
  expect(admission.isOpen({ ...queued, now })).toBe(isOpen);
});

/** A service that processes `perBatch` requests every 100 ms, while `arriving` come in the same time. */
function run({ perBatch, arriving, rounds }: { perBatch: number; arriving: number; rounds: number }) {
  const admission = createAdmission();
  const waiting: number[] = [];
  const result = { refused: 0, done: 0, slowestMs: 0 };
  for (let time = 0; time < rounds * 100; time += 100) {
    for (let n = 0; n < arriving; n += 1) {
      const oldestMs = waiting[0] === undefined ? undefined : time - waiting[0];
      if (admission.isOpen({ waiting: waiting.length, oldestMs, now: time })) waiting.push(time);
      else result.refused += 1;
    }
    const batch = waiting.splice(0, perBatch);
    admission.noteDone(batch.length, time);
    for (const since of batch) result.slowestMs = Math.max(result.slowestMs, time - since);
    result.done += batch.length;
  }
  return result;
}

test('at up to five times its capacity no request waits until its time is over, and the service does all it can', () => {
  const loads = fc.record({
    perBatch: fc.integer({ min: 10, max: 60 }),
    times: fc.double({ min: 0.1, max: 5, noNaN: true }),
    rounds: fc.integer({ min: 50, max: 600 }),
  });
  fc.assert(
    fc.property(loads, ({ perBatch, times, rounds }) => {
      const arriving = Math.max(1, Math.floor(perBatch * times));
      const { refused, done, slowestMs } = run({ perBatch, arriving, rounds });
      expect(slowestMs).toBeLessThan(answerMs);
      if (arriving <= perBatch) expect(refused).toBe(0);
      else expect(done).toBe(perBatch * rounds);
    }),
    { numRuns: scaled(200) },
  );
});
