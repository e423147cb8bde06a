import assert from 'node:assert';
import fc from 'fast-check';
import {
  burnOrder,
  compareLots,
  emptyQueues,
  inactivityOrder,
  type LotOrder,
  type LotQueues,
  queueLots,
  releaseOrder,
  requeue,
} from '#engine/points/lots/lotQueues';
import type { Lot } from '#records/points/lot';
import { minute, points, someId } from '../builders';
import { StoredMember } from '../storedMember';

const [template] = (() => {
  const member = new StoredMember([points]);
  member.post([{ purse: points._id, earn: 1 }], minute(0), 'none');
  return [...member.lots.values()];
})();
assert(template);
const { dtExpiresOn: _none, ...withoutExpiry } = template;

const ids = Array.from({ length: 40 }, () => someId());
const dates = fc.integer({ min: 1, max: 7 }).map(minute);

/** Lots that often share their dates, some of them spent. */
const lot: fc.Arbitrary<Lot> = fc
  .record({
    _id: fc.constantFrom(...ids),
    availablePoints: fc.nat(2),
    escrowedPoints: fc.nat(2),
    dtEarned: dates,
    dtEscrowsOn: dates,
    dtExpiresOn: fc.option(dates, { nil: undefined }),
    expiresByInactivity: fc.boolean(),
  })
  .map(({ dtExpiresOn, ...fields }) => ({ ...withoutExpiry, ...fields, ...(dtExpiresOn ? { dtExpiresOn } : {}) }));

const orders: Record<keyof LotQueues, LotOrder> = {
  available: burnOrder,
  escrow: releaseOrder,
  inactivity: inactivityOrder,
};

test('after any changes of lots the queues equal those of sorting all lots', () => {
  fc.assert(
    fc.property(fc.array(lot, { maxLength: 200 }), (changes) => {
      const current = new Map<string, Lot>();
      let queues = emptyQueues;
      for (const changed of changes) {
        const key = changed._id.toHexString();
        queues = requeue(queues, current.get(key), changed);
        current.set(key, changed);
      }
      assert.deepStrictEqual(queues, queueLots([...current.values()]));
      for (const [name, order] of Object.entries(orders)) {
        const queue = queues[name as keyof LotQueues];
        const lots = [...current.values()].filter((each) => order.points(each) > 0);
        assert.deepStrictEqual(
          queue.lots,
          lots.sort((a, b) => compareLots(a, b, order)),
        );
        const first = lots.filter((each) => lots[0] && order.time(each) === order.time(lots[0]));
        const sum = first.reduce((points, each) => points + order.points(each), 0);
        assert.strictEqual(queue.firstPoints, sum);
      }
    }),
  );
});

test('a change leaves the earlier queues as they were', () => {
  const [before, copy] = [queueLots([template]), queueLots([template])];
  requeue(before, template, { ...template, availablePoints: 0 });
  requeue(before, undefined, { ...template, _id: someId() });
  expect(before).toEqual(copy);
});
