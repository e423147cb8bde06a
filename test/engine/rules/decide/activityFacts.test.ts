import { activity, award, decideWith } from '../builders';

it('a rule reads the extension fields of an activity that no rule has changed', async () => {
  const conditions = { all: [{ fact: 'activity', path: '$.ext.size', operator: 'equal', value: 'L' }] };
  const rules = [award('a', 1, { conditions })];
  const firedFor = async (ext: Record<string, unknown>) =>
    (await decideWith(rules, { activity: activity({ ext }) })).decision.ruleMatch[0]?.fired;
  expect(await firedFor({ size: 'L' })).toBe(true);
  expect(await firedFor({ size: 'S' })).toBe(false);
});
