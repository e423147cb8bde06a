import { ObjectId } from 'bson';
import { transferArrivals } from '#activities/returns/transferArrivals';

const [member, purse] = [new ObjectId(), new ObjectId()];
const left = (points: number, more: { movedTo?: ObjectId; issued?: ObjectId } = {}) => ({
  lot: new ObjectId(),
  member,
  purse,
  points,
  restored: 0,
  ...more,
});
const arrived = (points: number, moved = true) => ({
  lot: new ObjectId(),
  member,
  purse,
  points,
  returned: 0,
  charged: 0,
  ...(moved ? { moved } : {}),
});

/** For each burned part, the index of the lot that it became. */
function places(effects: Parameters<typeof transferArrivals>[0]): (number | undefined)[] {
  const arrivals = transferArrivals(effects);
  return effects.burned.map((effect) => {
    const lot = arrivals.get(effect);
    return lot && effects.accrued.findIndex((one) => one.lot === lot);
  });
}

const lot = arrived(20);

test.each<[string, Parameters<typeof transferArrivals>[0], (number | undefined)[]]>([
  ['a burn without a transfer has no arrival', { burned: [left(5)], accrued: [arrived(5, false)] }, [undefined]],
  [
    'a named lot is the arrival of its burn',
    { burned: [left(20), left(20, { movedTo: lot.lot })], accrued: [lot] },
    [undefined, 0],
  ],
  [
    'arrivals without a name follow the order of the burns',
    { burned: [left(7), left(3)], accrued: [arrived(7), arrived(3)] },
    [0, 1],
  ],
  [
    'arrivals without a name follow the order of the burns between other uses',
    { burned: [left(1), left(7), left(9), left(3)], accrued: [arrived(1, false), arrived(7), arrived(3)] },
    [undefined, 1, undefined, 2],
  ],
  [
    'a burn for a reward has no arrival',
    { burned: [left(7, { issued: purse }), left(7)], accrued: [arrived(7)] },
    [undefined, 0],
  ],
])('%s', (_, effects, expected) => {
  expect(places(effects)).toEqual(expected);
});
