import { accrue } from '../../src/points/accrue';
import { burn } from '../../src/points/burn';
import { openLedger } from '../../src/points/ledger';
import type { Lot } from '../../src/points/lot';
import { member, minute, points, someId } from './builders';
import { StoredMember } from './storedMember';

const purse = points._id;

/** A member with so many lots that can be burned, all of one expiry date. */
function holding(lots: number): StoredMember {
  const anna = new StoredMember([points]);
  const expiry = { type: 'rolling', value: 1, unit: 'year', snap: 'endOfYear' } as const;
  const step = { purse, earn: 10, expiry };
  for (let made = 0; made < lots; made += 500)
    anna.post(
      Array.from({ length: 500 }, () => step),
      minute(0),
      'none',
    );
  return anna;
}

/** Milliseconds that one of so many activities takes: each forks, earns, burns over two lots, and reads all purses. */
function costOfOne(anna: StoredMember, times: number): number {
  let ledger = anna.open();
  burn(ledger, { purse, points: 1, origin: {} });
  const start = performance.now();
  for (let done = 0; done < times; done += 1) {
    const fork = ledger.fork();
    accrue(fork, { purse, points: 5, date: minute(0), origin: { activity: someId() }, n: 0 });
    burn(fork, { purse, points: 15, origin: { activity: someId() } });
    fork.purses();
    ledger = fork;
  }
  return (performance.now() - start) / times;
}

test('an activity of a member with 10,000 lots costs about what it costs with 500', () => {
  const [few, many] = [holding(500), holding(10_000)];
  costOfOne(few, 200);
  // Twenty times the lots; were each of them looked at, it would cost about twenty times as much.
  expect(costOfOne(many, 200)).toBeLessThan(1 + 5 * costOfOne(few, 200));
});

test('10,000 lots that expire at once are settled within ten seconds', () => {
  const anna = holding(10_000);
  const start = performance.now();
  const { expired } = anna.passTo(new Date('2030-01-01T00:00:00Z'));
  expect(expired).toHaveLength(10_000);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('an award of a member whose lots are not loaded takes well below a millisecond', () => {
  const purses = openLedger({
    member,
    purses: [],
    seq: 0,
    policies: [points],
    timezone: 'UTC',
    now: minute(0),
  }).purses();
  const once = (): Lot[] => {
    const opened = openLedger({ member, purses, seq: 0, policies: [points], timezone: 'UTC', now: minute(0) });
    const ledger = opened.fork();
    accrue(ledger, { purse, points: 5, date: minute(0), origin: { activity: someId() }, n: 0 });
    return ledger.changes().inserted;
  };
  for (let warm = 0; warm < 2_000; warm += 1) once();
  const start = performance.now();
  for (let done = 0; done < 5_000; done += 1) once();
  expect((performance.now() - start) / 5_000).toBeLessThan(0.3);
});
