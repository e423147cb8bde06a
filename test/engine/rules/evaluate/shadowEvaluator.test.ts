import { compiledEvaluator } from '#engine/rules/evaluate/compiledEvaluator';
import type { OutcomeDifference } from '#engine/rules/evaluate/outcomeDifferences';
import { referenceEvaluator } from '#engine/rules/evaluate/referenceEvaluator';
import { shadowEvaluator } from '#engine/rules/evaluate/shadowEvaluator';
import { award, decideWith } from '../builders';

const web = { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' }] };
const rules = [award('always', 5, { priority: 2 }), award('web', 1, { conditions: web })];
/** An evaluator with a faulty index: it leaves out every rule with an equality, even when the equality holds. */
const faulty = compiledEvaluator({
  findEqualities: () => new Map([[0, { slot: 0, ofElement: false, values: new Set() }]]),
});

async function decided(isSampled: boolean, ours = compiledEvaluator()) {
  const checked: (readonly OutcomeDifference[])[] = [];
  const evaluator = shadowEvaluator({
    ours,
    reference: referenceEvaluator(),
    isSampled: () => isSampled,
    checked: (differences) => checked.push(differences),
  });
  const { points } = await decideWith(rules, { evaluator });
  return { points, checked };
}

describe('shadowEvaluator', () => {
  it('checks every priority of an activity in the sample, and finds nothing when both agree', async () => {
    expect(await decided(true)).toEqual({ points: 5, checked: [[], []] });
  });

  it('leaves activities outside of the sample alone', async () => {
    expect(await decided(false, faulty)).toMatchObject({ checked: [] });
  });

  it('names the rules on which both differ, and answers the result of our own', async () => {
    const { points, checked } = await decided(true, faulty);
    expect(points).toBe(0);
    expect(checked[0]).toMatchObject([
      { rule: { key: 'always' }, ours: { holds: false, failed: false }, reference: { holds: true, failed: false } },
    ]);
  });
});
