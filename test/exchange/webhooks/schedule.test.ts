import { capacityFor, nextAttemptAt, retryDelaysMs, triedForMs, waitingLimits } from '#exchange/webhooks/schedule';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

test('a delivery is tried again after 5 s, 30 s, 2 min, 10 min, 1 h, then hourly, for three days', () => {
  const gaps: number[] = [];
  let now = at(0);
  for (let tries = 1; ; tries += 1) {
    const next = nextAttemptAt(tries, at(0), now);
    if (!next) break;
    gaps.push(next.getTime() - now.getTime());
    now = next;
  }
  const first = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs];
  expect(gaps.slice(0, 5)).toEqual(first);
  expect(new Set(gaps.slice(5))).toEqual(new Set([hourMs]));
  const last = now.getTime() - at(0).getTime();
  expect(last).toBeLessThanOrEqual(72 * hourMs);
  expect(last + hourMs).toBeGreaterThan(72 * hourMs);
  expect([retryDelaysMs[0], triedForMs]).toEqual([5 * secondMs, 72 * hourMs]);
});

const { waitingMax, pageMax, downAfter, trickleEvents: trickle, trickleMs } = waitingLimits;

test.each([
  ['nothing waits', { waiting: 0, failuresInRow: 0, sinceMs: 0 }, pageMax],
  ['nothing waits at a receiver that failed', { waiting: 0, failuresInRow: 5000, sinceMs: 0 }, pageMax],
  ['there is little room', { waiting: waitingMax - 3, failuresInRow: 0, sinceMs: 0 }, 3],
  ['there is no room', { waiting: waitingMax, failuresInRow: 0, sinceMs: 10 * trickleMs }, 0],
  ['some failed', { waiting: 20, failuresInRow: downAfter - 1, sinceMs: 0 }, pageMax],
  ['the receiver is down', { waiting: 20, failuresInRow: downAfter, sinceMs: trickleMs - 1 }, 0],
  ['the receiver is down for a while', { waiting: 20, failuresInRow: downAfter, sinceMs: trickleMs }, trickle],
])('when %s, as many events become deliveries as there is room for', (_name, { sinceMs, ...going }, room) => {
  expect(capacityFor({ ...going, fannedOutAt: at(0) }, at(sinceMs))).toBe(room);
});
