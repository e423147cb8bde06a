import type { RuleDefinition } from '#engine/rules/format/rule';
import { readRules } from '#engine/rules/read/readRules';
import { mergePrograms } from '#publishing/rulesets/mergePrograms';
import { definitions } from '../../engine/rules/sampleRules';
import { earn } from './store';

const { programs } = definitions;
const miles = { ...earn('m', 1), actions: [{ type: 'addPoints', purse: 'Miles', points: 1 }] };
const asFile = (code: string, content: unknown) => ({ path: `${code}/a.json`, text: JSON.stringify(content) });

/** Merges files as if each rule in them stood there as often as its program in `counts`. */
async function merge(
  files: { path: string; text: string }[],
  inForce: RuleDefinition[],
  counts: Record<string, number> = {},
) {
  const read = await readRules(files, definitions);
  const many = read.programs.map((each) => {
    const copies = Array.from({ length: counts[each.program.code] ?? 1 }, () => each.rules);
    return { ...each, rules: copies.flat() };
  });
  return mergePrograms({ read: { ...read, programs: many }, faults: [], programs, inForce, isTaken: () => true });
}

test('rules that a fault keeps count towards the limits, so another program cannot use their room', async () => {
  const demo = asFile('demo', earn('e', 1));
  const broken = { path: 'demo/b.json', text: '{' };
  const first = await merge([demo], [], { demo: 3000 });
  expect(first.outcomes).toEqual({ published: ['demo'], kept: [], withoutRules: [] });
  const second = await merge([demo, broken, asFile('other', miles)], first.drafts, { other: 2001 });
  expect(second.outcomes).toEqual({ published: [], kept: ['demo'], withoutRules: ['other'] });
  expect(second.errors).toContainEqual(
    expect.objectContaining({ message: 'with this program, the org would have 5001 rules; it may have 5000' }),
  );
  const third = await merge([demo, asFile('other', miles)], second.drafts, { demo: 10, other: 2001 });
  expect([third.drafts.length, third.errors]).toEqual([2011, []]);
});

test('a folder with all programs that cannot be read leaves every program as it is', async () => {
  const { drafts } = await merge([asFile('demo', earn('e', 1)), asFile('other', miles)], []);
  const fault = { file: '.', line: 1, column: 1, message: 'cannot be read: it is not a folder' };
  const read = await readRules([], definitions);
  const merged = await mergePrograms({ read, faults: [fault], programs, inForce: drafts, isTaken: () => true });
  expect(merged.drafts).toEqual(drafts);
  expect(merged.outcomes).toEqual({ published: [], kept: ['demo', 'other'], withoutRules: [] });
  expect(merged.errors).toEqual([fault]);
});
