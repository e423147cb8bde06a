import fc from 'fast-check';
import { differencesOf } from './differencesOf';
import { randomCase } from './randomCase';

const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_260_311);
const numRuns = Number(process.env.DIFFERENTIAL_CASES ?? 5000);

describe('compiledEvaluator', () => {
  it(
    `answers what json-rules-engine answers, failed conditions included (seed ${seed}, ${numRuns} cases)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(randomCase, async (each) => {
          expect(await differencesOf(each)).toEqual([]);
        }),
        { seed, numRuns },
      );
    },
    numRuns * 20,
  );
});
