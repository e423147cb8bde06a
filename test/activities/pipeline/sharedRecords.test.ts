import fc from 'fast-check';
import { SharedRecords, unwrittenMax } from '#activities/pipeline/sharedRecords';
import { scaled } from '../../support/scale';

/** A batch that enters for records, and those that it then waits for. */
type Step = { enters: [batch: string, ids: string[]]; waitsFor: string[] };

test.each<[string, Step[]]>([
  [
    'batches that share no record run beside each other',
    [
      { enters: ['first', ['a', 'b']], waitsFor: [] },
      { enters: ['second', ['c']], waitsFor: [] },
    ],
  ],
  [
    'a batch waits for all earlier ones that share a record with it, and for no others',
    [
      { enters: ['first', ['a']], waitsFor: [] },
      { enters: ['second', ['b']], waitsFor: [] },
      { enters: ['third', ['c']], waitsFor: [] },
      { enters: ['fourth', ['a', 'c']], waitsFor: ['first', 'third'] },
    ],
  ],
  [
    'a batch that enters again for the same records keeps its place',
    [
      { enters: ['first', ['a']], waitsFor: [] },
      { enters: ['second', ['a']], waitsFor: ['first'] },
      { enters: ['first', ['a']], waitsFor: [] },
    ],
  ],
  [
    'a batch that enters for further records which nobody has keeps its place',
    [
      { enters: ['first', ['a']], waitsFor: [] },
      { enters: ['second', ['a']], waitsFor: ['first'] },
      { enters: ['first', ['b']], waitsFor: [] },
      { enters: ['third', ['b']], waitsFor: ['first'] },
    ],
  ],
  [
    'a batch that enters for further records which a later batch has goes behind it',
    [
      { enters: ['first', ['a']], waitsFor: [] },
      { enters: ['second', ['a', 'b']], waitsFor: ['first'] },
      { enters: ['first', ['b']], waitsFor: ['second'] },
      { enters: ['third', ['a']], waitsFor: ['second', 'first'] },
    ],
  ],
])('%s', (_what, steps) => {
  const shared = new SharedRecords<string>();
  for (const { enters, waitsFor } of steps) expect(shared.enter(...enters)).toEqual(waitsFor);
});

test('a batch that has left makes nobody wait', () => {
  const shared = new SharedRecords<string>();
  shared.enter('first', ['a']);
  shared.leave('first');
  expect(shared.enter('second', ['a'])).toEqual([]);
});

test('nobody waits at a record that the last batch which read it did not write, until one writes it', () => {
  const shared = new SharedRecords<string>();
  shared.enter('first', ['seldom', 'always']);
  shared.noteWritten(['seldom', 'always'], new Set(['always']));
  expect(shared.enter('second', ['seldom'])).toEqual([]);
  expect(shared.enter('third', ['always'])).toEqual(['first']);
  shared.leave('first');
  shared.noteWritten(['seldom'], new Set(['seldom']));
  // The second one waits when it tries again, and those that come later wait for it.
  expect(shared.enter('fourth', ['seldom'])).toEqual([]);
  expect(shared.enter('second', ['seldom'])).toEqual(['fourth']);
});

test('of records that were not written only so many are remembered', () => {
  const shared = new SharedRecords<string>();
  const ids = Array.from({ length: unwrittenMax + 1 }, (_unused, n) => `record ${n}`);
  shared.noteWritten(ids, new Set());
  shared.enter('first', ids);
  expect(shared.enter('second', ids.slice(1))).toEqual([]);
  expect(shared.enter('third', ids)).toEqual(['first']);
});

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const plan = fc.record({ counters: fc.uniqueArray(id), members: fc.uniqueArray(id), written: fc.uniqueArray(id) });

/** A batch of the simulation below. */
interface Simulated {
  /** What it enters for, one after the other: counters first, then members, as in the pipeline. */
  steps: string[][];
  read: Set<string>;
  written: Set<string>;
  /** What it entered for and was expected to write. */
  expected: Set<string>;
  waitsFor: Set<Simulated>;
}

/** Runs batches, one step of a batch that waits for none at a time, until all have ended. */
function simulate(batches: readonly Simulated[], choose: () => number): void {
  const shared = new SharedRecords<Simulated>();
  const unwritten = new Set<string>();
  const running = new Set(batches);
  const wake = (batch: Simulated) => {
    for (const { waitsFor } of running) waitsFor.delete(batch);
  };
  while (running.size > 0) {
    const ready = [...running].filter(({ waitsFor }) => waitsFor.size === 0);
    const batch = ready[choose() % ready.length];
    if (!batch) throw new Error('all batches wait for each other');
    const ids = batch.steps.shift();
    if (ids) {
      for (const one of ids) batch.read.add(one);
      for (const one of ids) if (!unwritten.has(one)) batch.expected.add(one);
      const earlier = shared.enter(batch, ids);
      if (earlier.length > 0) wake(batch);
      batch.waitsFor = new Set(earlier);
      const working = [...running].filter(({ waitsFor }) => waitsFor.size === 0);
      const held = working.flatMap(({ expected }) => [...expected]);
      expect(held).toEqual([...new Set(held)]);
      continue;
    }
    shared.noteWritten(batch.read, batch.written);
    for (const one of batch.read)
      if (batch.written.has(one)) unwritten.delete(one);
      else unwritten.add(one);
    shared.leave(batch);
    running.delete(batch);
    wake(batch);
  }
}

test('batches that expect to write the same record never work at once, and none waits for ever', () => {
  const run = fc.property(fc.array(plan, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (plans, choices) => {
    const batches = plans.map(({ counters, members, written }) => ({
      steps: [counters, members],
      read: new Set<string>(),
      written: new Set(written),
      expected: new Set<string>(),
      waitsFor: new Set<Simulated>(),
    }));
    simulate(batches, () => Number(choices.next().value));
  });
  fc.assert(run, { numRuns: scaled(500) });
});
