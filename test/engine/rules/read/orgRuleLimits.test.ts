import { ObjectId } from 'bson';
import fc from 'fast-check';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import { orgRuleLimitFault, rulesMax } from '#engine/rules/read/orgRuleLimits';
import type { ProgramRead } from '#engine/rules/read/programFaults';
import { scaled } from '../../../support/scale';

const programs: ProgramReferences[] = ['alpha', 'beta', 'gamma'].map((code) => ({
  _id: new ObjectId(),
  code,
  timezone: 'UTC',
  purses: [],
  tiers: [],
  offers: [],
  rewards: [],
}));

interface Size {
  rules: number;
  /** Of each rule, in KB. */
  large: number;
}

/** Rules of a program. Each has `large` KB. */
function rulesOf({ _id, code }: ProgramReferences, { rules, large }: Size): RuleDefinition[] {
  const rule = {
    key: 'r',
    name: 'x'.repeat(large * 1024),
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 1,
    conditions: { all: [] },
    actions: [],
    file: `${code}/a.json`,
    position: 0,
  } as const;
  return Array.from(
    { length: rules },
    () => ({ ...rule, programId: _id, programCode: code }) as unknown as RuleDefinition,
  );
}

/** Few large rules, or many small ones, so that both limits matter. */
const size = fc.oneof(
  fc.record({ rules: fc.integer({ min: 0, max: 3500 }), large: fc.constant(0) }),
  fc.record({ rules: fc.integer({ min: 0, max: 9 }), large: fc.constant(1024) }),
);

const sizes = fc.tuple(size, size, size);
const bytesMax = 15 * 1024;

/** Rules and, nearly, KB. */
const sumOf = (all: readonly Size[]) => ({
  rules: all.reduce((sum, { rules }) => sum + rules, 0),
  kilobytes: all.reduce((sum, { rules, large }) => sum + rules * (large + 0.2), 0),
});
const fits = (all: readonly Size[]) => sumOf(all).rules <= rulesMax && sumOf(all).kilobytes <= bytesMax;
const growsIn = (before: Size, after: Size) =>
  after.rules > before.rules || after.rules * after.large > before.rules * before.large;

test('an org never exceeds its limits, and a program that does not grow is never refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      sizes,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      async (before, after, taken) => {
        fc.pre(fits(before));
        const nothing = { rules: 0, large: 0 };
        const inForce = programs.flatMap((program, n) => rulesOf(program, before[n] ?? nothing));
        const requests = programs.flatMap((program, n): ProgramRead[] =>
          taken[n] ? [{ program, rules: rulesOf(program, after[n] ?? nothing), errors: [] }] : [],
        );
        const refused = (await orgRuleLimitFault(requests, inForce)).map(({ file }) => file.split('/')[0]);
        const result = programs.map(
          ({ code }, n) => (taken[n] && !refused.includes(code) ? after[n] : before[n]) ?? nothing,
        );
        expect(fits(result)).toBe(true);
        const still = programs.filter((_, n) => !growsIn(before[n] ?? nothing, after[n] ?? nothing));
        expect(still.filter(({ code }) => refused.includes(code))).toEqual([]);
        if (fits(programs.map((_, n) => (taken[n] ? after[n] : before[n]) ?? nothing))) expect(refused).toEqual([]);
      },
    ),
    { numRuns: scaled(25) },
  );
});

test('the program that grows too much is refused, not a large one that stays as it is', async () => {
  const [alpha, beta] = programs;
  if (!alpha || !beta) throw new Error('there are programs');
  const inForce = [...rulesOf(alpha, { rules: 4990, large: 0 }), ...rulesOf(beta, { rules: 5, large: 0 })];
  const requests = [
    { program: alpha, rules: rulesOf(alpha, { rules: 4990, large: 0 }), errors: [] },
    { program: beta, rules: rulesOf(beta, { rules: 11, large: 0 }), errors: [] },
  ];
  expect(await orgRuleLimitFault(requests, inForce)).toMatchObject([
    {
      file: 'beta/a.json',
      line: 1,
      column: 1,
      message: 'with this program, the org would have 5001 rules; it may have 5000',
    },
  ]);
});
