import { ObjectId } from 'bson';
import { findLastVisit } from '#activities/state/sumMetric';

const [own, other] = [new ObjectId(), new ObjectId()];
const day = (date: number) => new Date(Date.UTC(2026, 4, date));
const visit = (date: number, value = 1, member = own) => ({ metric: 'visits', value, at: day(date), member });

/** The day of May of the latest visit up to the 10th, with the visits of the database and those of the batch. */
function lastVisit(stored: number[], batch: object[]): number | undefined {
  const input = {
    state: { doc: { _id: own }, metrics: batch },
    activity: { date: day(10) },
    context: { windows: { visits: new Map([[own.toHexString(), stored.map(day)]]) } },
  };
  return findLastVisit({ input } as never)?.getUTCDate();
}

it.each<[string, number[], object[], number | undefined]>([
  ['none', [], [], undefined],
  ['the latest stored one', [3, 7, 5], [], 7],
  ['one at the date of the activity', [3, 10], [], 10],
  ['none after the activity', [3, 11], [visit(12)], 3],
  ['one of the batch', [3], [visit(7)], 7],
  ['none that the batch cancelled', [3, 7], [visit(7, -1)], 3],
  ['one of two at the same time, of which the batch cancelled one', [7, 7], [visit(7, -1)], 7],
  ['none that was posted and cancelled in the batch', [3], [visit(7), visit(7, -1)], 3],
  ['none of another member', [3], [visit(7, 1, other)], 3],
  ['none for another metric', [3], [{ ...visit(7), metric: 'spend' }], 3],
])('the last visit before an activity is %s', (_case, stored, batch, expected) => {
  expect(lastVisit(stored, batch)).toBe(expected);
});
