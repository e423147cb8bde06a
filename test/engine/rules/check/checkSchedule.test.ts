import { explainRule } from '#engine/rules/explain/explainRule';
import { readRules } from '#engine/rules/read/readRules';
import { base, definitions, faultsOf, file } from '../sampleRules';

const of = (activityTypes: string[], schedule?: unknown) => ({
  ...base,
  activityTypes,
  ...(schedule === undefined ? {} : { schedule }),
});

test.each<[string, unknown]>([
  ['every day', of(['Scheduled'], { every: 'day', at: '09:00' })],
  ['every Monday', of(['Scheduled'], { every: 'week', on: 'Mon' })],
  ['every 31st', of(['Scheduled', 'Accrual'], { every: 'month', on: 31, segment: 'VIP' })],
  ['the last of a month', of(['Scheduled'], { every: 'month', on: 'last' })],
  ['29 February', of(['Scheduled'], { every: 'year', on: '02-29' })],
  ['the birthday itself', of(['Birthday'])],
  ['a week before several', of(['Birthday', 'PointsExpiring', 'Anniversary'], { daysBefore: 7 })],
  ['an occasion without a schedule', of(['TierReached', 'Accrual'])],
])('a rule for %s is accepted', async (_, rule) => {
  expect(await faultsOf(rule)).toEqual([]);
});

test.each<[string, unknown, unknown[]]>([
  [
    'Scheduled without a schedule',
    of(['Scheduled']),
    [expect.stringContaining('a rule for Scheduled needs a "schedule", such as {"every": "month", "on": 1')],
  ],
  [
    'PointsExpiring without its days',
    of(['PointsExpiring'], { at: '09:00' }),
    [expect.stringContaining('a rule for PointsExpiring needs a "schedule", such as {"daysBefore": 14}')],
  ],
  [
    'a schedule for purchases',
    of(['Accrual'], { every: 'day' }),
    [expect.stringContaining('"schedule" needs one of the activity types Scheduled')],
  ],
  [
    'Scheduled with birthdays',
    of(['Scheduled', 'Birthday'], { every: 'day' }),
    [expect.stringContaining('a rule for Scheduled has no other type that the calendar brings')],
  ],
  [
    'daysBefore of Scheduled',
    of(['Scheduled'], { every: 'day', daysBefore: 1 }),
    [expect.stringContaining('"daysBefore" is not for rules of Scheduled')],
  ],
  [
    'every of a birthday',
    of(['Birthday'], { every: 'day' }),
    [expect.stringContaining('"every" is for rules of Scheduled')],
  ],
  [
    'a month without a day',
    of(['Scheduled'], { every: 'month' }),
    [expect.stringContaining('"every": "month" needs "on": a day of the month, such as 1 or "last"')],
  ],
  [
    'a weekday of a month',
    of(['Scheduled'], { every: 'month', on: 'Mon' }),
    [expect.stringMatching(/^"Mon".*"every": "month" needs "on"/)],
  ],
  [
    'a day that no year has',
    of(['Scheduled'], { every: 'year', on: '02-30' }),
    [expect.stringContaining('on must match')],
  ],
  [
    'a day with every day',
    of(['Scheduled'], { every: 'day', on: 1 }),
    [expect.stringContaining('"every": "day" has no "on"')],
  ],
  [
    'an unknown segment',
    of(['Scheduled'], { every: 'day', segment: 'VIPs' }),
    [expect.stringMatching(/^"VIPs".*unknown segment "VIPs" \(did you mean "VIP"\?\)/)],
  ],
  ['a type that is misspelt', of(['Birtday']), [expect.stringContaining('did you mean "Birthday"?')]],
])('a rule with %s is refused', async (_, rule, expected) => {
  expect(await faultsOf(rule)).toEqual(expected);
});

test.each<[string, unknown]>([
  ['every month on 1 at 09:00, segment VIP', of(['Scheduled'], { every: 'month', on: 1, at: '09:00', segment: 'VIP' })],
  ['every day at 00:00', of(['Scheduled'], { every: 'day' })],
  ['1 day before at 00:00', of(['Birthday'], { daysBefore: 1 })],
  ['on the day at 00:00', of(['Anniversary'])],
])('a schedule is said in words: %s', async (words, rule) => {
  const { rules } = await readRules([file(rule)], definitions);
  expect(rules.flatMap((each) => explainRule(each))).toContain(`  - ${words}, by the program's clock`);
});
