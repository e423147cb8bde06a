import { accrue } from '#engine/points/ledger/accrue';
import { burn } from '#engine/points/ledger/burn';
import { settle } from '#engine/points/ledger/settle';
import { minute, points, someId } from './builders';
import { StoredMember } from './storedMember';

const purse = points._id;

/** A member with this number of available lots, all with the same expiry date. */
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

/** Milliseconds of processor time of the fastest activity. An activity forks, awards, burns from two lots, and reads all purses. */
function costOfOne(anna: StoredMember): number {
  let ledger = anna.open();
  burn(ledger, { purse, points: 1, origin: {} });
  return quickest(20, () => {
    for (let done = 0; done < 20; done += 1) {
      const fork = ledger.fork();
      accrue(fork, { purse, points: 5, date: minute(0), origin: { activity: someId() }, n: 0 });
      burn(fork, { purse, points: 15, origin: { activity: someId() } });
      fork.purses();
      ledger = fork;
    }
  });
}

/**
 * Milliseconds of processor time of the fastest of several runs. Other load on the machine and the collection of garbage
 * only make runs slower.
 */
function quickest(times: number, run: () => void): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const start = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}

test('an activity of a member with 10,000 lots costs about what it costs with 500', () => {
  const [few, many] = [holding(500), holding(10_000)];
  costOfOne(few);
  // There are twenty times as many lots. If each were examined, the cost would be about twenty times as high.
  expect(costOfOne(many)).toBeLessThan(8 * costOfOne(few));
});

test('settling ten times as many lots costs about ten times as much', () => {
  const costOf = (lots: number) => {
    const anna = holding(lots);
    anna.now = new Date('2030-01-01T00:00:00Z');
    const ledger = anna.open();
    return quickest(6, () => expect(settle(ledger.fork()).expired).toHaveLength(lots));
  };
  costOf(1000);
  // If every lot were compared with every other, the cost would be about a hundred times as high.
  expect(costOf(10_000)).toBeLessThan(40 * costOf(1000));
});
