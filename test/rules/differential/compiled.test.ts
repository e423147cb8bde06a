import fc from 'fast-check';
import { testScale } from '../../support/scale';
import { differencesOf, type Fault } from './differencesOf';
import { faults } from './faults';
import { randomCase } from './randomCase';

/** Set both for more cases than CI runs: `npm run differential` runs 200,000. */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_260_311);
const numRuns = Number(process.env.DIFFERENTIAL_CASES ?? 1500 * testScale);

const agrees = (fault?: Fault) =>
  fc.asyncProperty(randomCase, async (each) => {
    expect(await differencesOf(each, fault)).toEqual([]);
  });

describe('compiledEvaluator', () => {
  it(
    `answers what json-rules-engine answers, failed conditions included (seed ${seed}, ${numRuns} cases)`,
    () => fc.assert(agrees(), { seed, numRuns }),
    numRuns * 20,
  );
});

it('takes two lists of one path for different ones, as json-rules-engine does', async () => {
  const tiers = { fact: 'member', path: '$.tier[*]' };
  const conditions = [{ all: [{ ...tiers, operator: 'equal', value: tiers }] }];
  expect(
    await differencesOf({ conditions, facts: { member: { tier: { Main: 'Gold' } } }, failing: [], lists: {} }),
  ).toEqual([]);
});

describe('the comparison with json-rules-engine', () => {
  it.each(Object.entries(faults))('finds %s', async (_, fault) => {
    const { failed, counterexample } = await fc.check(agrees(fault), { seed, numRuns: 5000, endOnFailure: true });
    expect(failed).toBe(true);
    expect(counterexample).not.toBeNull();
  });
});
