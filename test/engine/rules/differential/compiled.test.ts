import fc from 'fast-check';
import { scaled, seedsOf, share } from '../../../support/scale';
import { differencesOf, type Fault } from './differencesOf';
import { faults } from './faults';
import { randomCase } from './randomCase';

const fixedSeed = 20_260_311;
/** How many cases a seed makes; `npm run differential` runs 200,000. */
const numRuns = Number(process.env.DIFFERENTIAL_CASES ?? scaled(400));

const agrees = (fault?: Fault) =>
  fc.asyncProperty(randomCase, async (each) => {
    expect(await differencesOf(each, fault)).toEqual([]);
  });

describe('compiledEvaluator', () => {
  it.each(seedsOf(fixedSeed))(
    `answers what json-rules-engine answers, failed conditions included (seed %d, ${numRuns} cases)`,
    (seed) => fc.assert(agrees(), { seed, numRuns }),
    numRuns * 20,
  );
});

it('two lists of one path count as different, as in json-rules-engine', async () => {
  const tiers = { fact: 'member', path: '$.tier[*]' };
  const conditions = [{ all: [{ ...tiers, operator: 'equal', value: tiers }] }];
  expect(
    await differencesOf({ conditions, facts: { member: { tier: { Main: 'Gold' } } }, failing: [], lists: {} }),
  ).toEqual([]);
});

describe('the comparison with json-rules-engine', () => {
  it.each(share(Object.entries(faults), 4))('finds %s', async (_, fault) => {
    const { failed, counterexample } = await fc.check(agrees(fault), {
      seed: fixedSeed,
      numRuns: 5000,
      endOnFailure: true,
    });
    expect(failed).toBe(true);
    expect(counterexample).not.toBeNull();
  });
});
