import { ObjectId } from 'bson';
import { dayOn } from '#base/calendar/localCalendar';
import { foldDays } from '#engine/sums/foldMetrics';
import { groupByMemberDay, metricEntries } from '#records/aggregates/metricEvents';
import { randomCommits } from '../../members/aggregates/store';

const members = [1, 2, 3].map(() => new ObjectId());

test('entries are stored one a member and day and come back with the same sums', () => {
  for (const entries of randomCommits({ commits: 200, members })) {
    const days = groupByMemberDay(entries);
    const keys = entries.map(({ member, day }) => `${member} ${day.getTime()}`);
    expect(days).toHaveLength(new Set(keys).size);
    expect(days.reduce((sum, { changes }) => sum + changes.length, 0)).toBe(entries.length);
    expect(sumsOf(metricEntries(days))).toEqual(sumsOf(entries));
  }
});

test('the end of a lifetime aggregate is not stored', () => {
  const [member = new ObjectId()] = members;
  const day = dayOn(2026, 11, 20);
  const [stored] = groupByMemberDay([{ member, day, metric: 'spend', value: 5, expirationDate: day }]);
  expect(stored).toEqual({ member, day, changes: [{ metric: 'spend', value: 5 }] });
});

function sumsOf(entries: Parameters<typeof foldDays>[0]) {
  return new Set(foldDays(entries).map(({ member, metric, day, value }) => `${member} ${metric} ${day} ${value}`));
}
