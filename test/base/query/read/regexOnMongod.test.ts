import fc from 'fast-check';
import { ServiceError } from '#base/common/errors';
import { guardRegex } from '#base/query/regex/guardRegex';
import { slowness } from '../../../support/givenTime';
import { longer, scaled, seedsOf, share } from '../../../support/scale';
import { regexSource, shortText, worstTexts } from '../randomRegex';
import { type MongodCpu, openMongodCpu } from './mongodCpu';

/** Most CPU milliseconds that one match may take in mongod. */
const matchMaxMs = 100 * slowness();

const seeds = seedsOf(20_260_131);

let mongod: MongodCpu;
beforeAll(async () => {
  mongod = await openMongodCpu();
});
afterAll(() => mongod.close());

/** The texts of one record for various fields: a name, tags, names of lines, a note, and a whole body. */
const fields = [
  { length: 255, count: 1 },
  { length: 100, count: 100 },
  { length: 255, count: 4000 },
  { length: 4096, count: 1 },
  { length: 2 ** 20, count: 1 },
];

interface Asked {
  source: string;
  options: string;
  texts: { length: number; count: number };
}

const requests: fc.Arbitrary<Asked> = fc.record({
  source: regexSource,
  options: fc.subarray(['i', 'm', 's']).map((letters) => letters.join('')),
  texts: fc.constantFrom(...fields),
});

/** The pattern that MongoDB gets; undefined when the pattern is refused. */
function award({ source, options, texts }: Asked): string | undefined {
  try {
    return guardRegex({ source, options, texts, where: 'it' });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 1210) return undefined;
    throw error;
  }
}

/** The time for a record of the worst texts. It is measured again when other load may have disturbed it. */
async function worstMs(pattern: string, { source, options, texts: { length, count } }: Asked): Promise<number> {
  let worst = 0;
  for (const text of worstTexts(source, length)) {
    const record = count > 1 ? Array.from({ length: count }, () => text) : text;
    const ms = await mongod.matchMs(pattern, options, record);
    worst = Math.max(worst, ms > matchMaxMs ? Math.min(ms, await mongod.matchMs(pattern, options, record)) : ms);
  }
  return worst;
}

it.each(seeds)(
  `an accepted pattern takes mongod at most ${matchMaxMs} ms on the worst texts (seed %d)`,
  async (seed) => {
    let allowed = 0;
    const isQuick = fc.asyncProperty(requests, async (each) => {
      const pattern = award(each);
      if (pattern === undefined) return;
      allowed += 1;
      expect({ ...each, pattern, isQuick: (await worstMs(pattern, each)) <= matchMaxMs }).toMatchObject({
        isQuick: true,
      });
    });
    await fc.assert(isQuick, { seed, numRuns: scaled(50), interruptAfterTimeLimit: 25_000 * longer });
    expect(allowed).toBeGreaterThan(scaled(10));
  },
  180_000 * longer,
);

/** Kinds of patterns whose cost grows with `n`. */
const growing: [string, (n: number) => string][] = [
  ['a run of a letter', (n) => `${'a'.repeat(n)}[bc]`],
  ['a run of a letter with two cases', (n) => `${'k'.repeat(n)}[bc]`],
  ['a run of a letter beyond ASCII', (n) => `${'é'.repeat(n)}[bc]`],
  ['a run of classes', (n) => `[ab]{${n}}[cd]`],
  ['a run of classes beyond ASCII', (n) => `${'[à-ü]'.repeat(n)}[cd]`],
  ['alternatives that begin alike', (n) => Array.from({ length: n }, (_, i) => `aa[b-${'cdefghijklm'[i]}]`).join('|')],
  ['groups that may be empty', (n) => `${'(|)'.repeat(n)}[bx][cd]`],
  ['letters that may be missing', (n) => `a${'a?'.repeat(n)}[bc]`],
  ['repetitions of anything', (n) => `${'a.*'.repeat(n)}[bc]`],
  ['repetitions of anything from the start', (n) => `^${'a.*'.repeat(n)}[bc]`],
  ['repetitions within bounds', (n) => `a${'a{1,20}'.repeat(n)}[bc]`],
  ['a repetition within a bound', (n) => `aa{1,${n}}[bc]`],
  ['repetitions of what is not', (n) => `a${'[^b]*a'.repeat(n)}[bc]`],
  ['repetitions of words', (n) => `a${'.*aa'.repeat(n)}[bc]`],
  ['places', (n) => `${'\\B'.repeat(n)}[bc]`],
  [
    'a class of many',
    (n) => `^[${Array.from({ length: n }, (_, i) => String.fromCharCode(0x400 + 2 * i)).join('')}a]*[bc]`,
  ],
];

it.each(share(growing, 4))(
  `the most expensive accepted pattern of %s takes at most ${matchMaxMs} ms`,
  async (_, make) => {
    const took = [];
    for (const texts of fields) {
      const sources = Array.from({ length: 60 }, (_unused, i) => make(i + 1)).filter((each) => each.length <= 256);
      const dearest = sources.reverse().find((source) => award({ source, options: 'i', texts }) !== undefined);
      if (dearest === undefined) continue;
      const each = { source: dearest, options: 'i', texts };
      took.push({ ...each, ms: await worstMs(award(each) ?? '', each) });
    }
    expect(took).not.toEqual([]);
    expect(took.filter(({ ms }) => ms > matchMaxMs)).toEqual([]);
  },
);

it.each(seeds)(
  'an accepted pattern means in MongoDB what it means in JavaScript (seed %d)',
  async (seed) => {
    let allowed = 0;
    const agrees = fc.asyncProperty(
      requests,
      fc.array(shortText, { minLength: 20, maxLength: 20 }),
      async ({ source, options }, texts) => {
        const pattern = award({ source, options, texts: { length: 20, count: 1 } });
        if (pattern === undefined) return;
        allowed += 1;
        // Texts do not end with a line break: $ also matches before it, and with option m ^ does not match after it.
        const asReported = texts.map((text) => `${text}.`);
        const meant = new RegExp(source, options);
        const positions = asReported.flatMap((text, at) => (meant.test(text) ? [at] : []));
        const found = await mongod.matches(pattern, options, asReported);
        expect({ source, options, pattern, found }).toEqual({ source, options, pattern, found: positions });
      },
    );
    await fc.assert(agrees, { seed, numRuns: scaled(200), interruptAfterTimeLimit: 30_000 * longer });
    expect(allowed).toBeGreaterThan(20);
  },
  90_000 * longer,
);
