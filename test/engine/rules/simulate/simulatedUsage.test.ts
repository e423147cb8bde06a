import { ObjectId } from 'bson';
import type { PastUse, ProcessedActivity } from '#engine/rules/simulate/processedActivity';
import { SimulatedUsage } from '#engine/rules/simulate/simulatedUsage';

/** What a simulation counts for limits, and how returns give it back (docs/design/simulations.md). */
const activity = new ObjectId();
const original = activity.toHexString();
const ofDay: PastUse = { id: new ObjectId(), what: 'points', amount: 100, returned: 100 };

/** Counts an activity of value 100 that was returned in all, with this use by the simulated rules. */
function counted(use: PastUse) {
  const usage = new SimulatedUsage();
  const returned = { value: 100, byValue: 100, lines: [], isWhole: true, namesLines: false };
  const processed = { activity: { _id: activity, value: 100 }, usage: [ofDay], returned };
  usage.count(processed as unknown as ProcessedActivity, [use]);
  const used = () => usage.counters.usage.get(use.id.toHexString());
  return { usage, used };
}

test.each([
  ['the use of the day', ofDay],
  ['another use', { ...ofDay, amount: 30 }],
])('returns of parts give back %s step by step when histories do not say how much', (_name, use) => {
  const { usage, used } = counted(use);
  expect(used()).toBe(use.amount);
  usage.giveBack({ original, value: 40 });
  expect(used()).toBe(use.amount * 0.6);
  usage.giveBack({ original, value: 60 });
  expect(used()).toBe(0);
});

test('returns give back what their histories say when the use is unchanged', () => {
  const { usage, used } = counted(ofDay);
  usage.giveBack({ original, value: 40, usesGivenBack: [{ id: ofDay.id, rule: undefined, amount: 10 }] });
  expect(used()).toBe(90);
  usage.giveBack({ original, value: 60, usesGivenBack: [{ id: ofDay.id, rule: undefined, amount: 90 }] });
  expect(used()).toBe(0);
});

test('a further return gives back nothing once everything is returned', () => {
  const { usage, used } = counted(ofDay);
  for (const value of [100, 40]) usage.giveBack({ original, value });
  expect(used()).toBe(0);
});
