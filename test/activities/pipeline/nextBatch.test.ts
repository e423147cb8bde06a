import { ObjectId } from 'bson';
import fc from 'fast-check';
import { busyKeys, nextBatch } from '#activities/pipeline/nextBatch';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { scaled } from '../../support/scale';

type Waiting = { request: PipelineRequest };

/** Ids by small numbers. */
const ids = Array.from({ length: 4 }, () => new ObjectId());
const idAt = (n: number) => ids[n] ?? new ObjectId();

interface Given {
  member?: number | undefined;
  card?: string | undefined;
  original?: number | undefined;
  partition?: number | undefined;
  key?: string | undefined;
  /** The key of an occasion, which the service posts itself. */
  occasion?: string | undefined;
  history?: number | undefined;
  endsAt?: number | undefined;
  isGone?: boolean | undefined;
}

function waiting({ member, card, original, partition, key, occasion, history, endsAt, isGone }: Given): Waiting {
  const activity = {
    memberID: member === undefined ? undefined : idAt(member),
    loyaltyID: card,
    externalTxnId: occasion && `${ownKeyPrefix}${occasion}`,
  };
  const request = {
    historyId: history === undefined ? new ObjectId() : idAt(history),
    activity,
    ...(original === undefined ? {} : { cancel: { originalId: idAt(original) } }),
    ...(key === undefined ? {} : { key: { key, hash: 'h' } }),
    partition,
    endsAt,
    isGone: isGone === undefined ? undefined : () => isGone,
  };
  return { request: request as unknown as PipelineRequest };
}

const roomy = { busy: new Set<string>(), batchMax: 100, clientsMax: 100, now: 1000 };

test.each<[string, Given, Given, boolean, boolean]>([
  ['two members', { member: 0 }, { member: 1 }, true, true],
  ['one member', { member: 0 }, { member: 0 }, false, true],
  ['one loyalty id', { card: 'A' }, { card: 'A' }, false, true],
  ['two loyalty ids', { card: 'A' }, { card: 'B' }, true, true],
  ['one activity to cancel', { original: 0 }, { original: 0 }, false, true],
  ['one partition of the inbox', { partition: 0, card: 'A' }, { partition: 0, card: 'B' }, false, true],
  ['two partitions of the inbox', { partition: 0, card: 'A' }, { partition: 1, card: 'B' }, true, true],
  ['one key', { key: 'k', member: 0 }, { key: 'k', member: 1 }, false, false],
  ['two keys', { key: 'k', member: 0 }, { key: 'l', member: 1 }, true, true],
  ['an occasion and its cancel', { occasion: 'o', history: 0 }, { occasion: 'c', original: 0 }, false, false],
  ['an activity of a client and its cancel', { history: 0 }, { original: 0 }, true, true],
])('of requests for %s, the second begins beside the first, and is in its batch, as it may', (_what, ...rest) => {
  const [first, second, mayBeginBeside, mayJoin] = rest;
  const pair = [waiting(first), waiting(second)];
  const beside = nextBatch(pair.slice(1), { ...roomy, busy: new Set(pair.slice(0, 1).flatMap(namesOf)) });
  expect(beside.batch).toHaveLength(mayBeginBeside ? 1 : 0);
  expect(nextBatch(pair, roomy).batch).toHaveLength(mayJoin ? 2 : 1);
});

const namesOf = ({ request }: Waiting) => busyKeys(request);
const isInbox = ({ request }: Waiting) => request.partition !== undefined;

const request = fc
  .record({
    member: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    original: fc.constantFrom(undefined, undefined, undefined, 0, 1),
    partition: fc.constantFrom(undefined, undefined, 0, 1),
    key: fc.constantFrom(undefined, undefined, undefined, 'a', 'b'),
    endsAt: fc.constantFrom(undefined, undefined, 1001, 1001, 1000, 999),
    isGone: fc.constantFrom(undefined, false, false, false, true),
  })
  .map(waiting);

const inputs = fc.record({
  all: fc.array(request, { maxLength: 20 }),
  inFlight: fc.array(request, { maxLength: 1 }),
  batchMax: fc.integer({ min: 1, max: 8 }),
  clientsMax: fc.integer({ min: 1, max: 6 }),
});

test('each waiting request is in the batch, or waits with a reason, or is refused because it is late', () => {
  fc.assert(
    fc.property(inputs, ({ all, inFlight, batchMax, clientsMax }) => {
      const busy = new Set(inFlight.flatMap(namesOf));
      const { batch, kept, late } = nextBatch(all, { busy, batchMax, clientsMax, now: 1000 });
      const isLate = ({ request: { endsAt = 1001, isGone } }: Waiting) => endsAt <= 1000 || isGone?.() === true;
      expect(late).toEqual(all.filter(isLate));
      // Each part is in the order of arrival, and nothing is lost.
      expect(batch).toEqual(all.filter((each) => batch.includes(each)));
      expect(kept).toEqual(all.filter((each) => !batch.includes(each) && !late.includes(each)));

      expect(batch.length).toBeLessThanOrEqual(batchMax);
      expect(batch.filter((each) => !isInbox(each)).length).toBeLessThanOrEqual(clientsMax);
      for (const [index, each] of all.entries()) {
        if (late.includes(each)) continue;
        const before = all.slice(0, index);
        const taken = before.filter((one) => batch.includes(one));
        const names = namesOf(each);
        const isFull =
          taken.length >= batchMax || (!isInbox(each) && taken.filter((one) => !isInbox(one)).length >= clientsMax);
        const touches = (one: Waiting) => namesOf(one).some((name) => names.includes(name));
        const mustWait =
          names.some((name) => busy.has(name)) ||
          before.some((one) => kept.includes(one) && touches(one)) ||
          taken.some((one) => one.request.key && one.request.key.key === each.request.key?.key);
        expect(kept.includes(each)).toBe(isFull || mustWait);
      }
    }),
    { numRuns: scaled(1000) },
  );
});
