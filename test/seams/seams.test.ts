import { isLong, runSeed } from '../support/scale';
import { type Mirror, openMirror } from './mirror';
import { seams } from './seams';

/**
 * The tests can fail: with one net cut in a copy of the sources, the named test turns red, and without the cut it is
 * green there. A commit tries two of them, by its seed; .ci/nightly all.
 */
let mirror: Mirror;
beforeEach(() => {
  mirror = openMirror();
});
afterEach(() => mirror.remove());

const perRun = 2;
const first = (runSeed() * perRun) % seams.length;
const drawn = isLong ? seams : [...seams, ...seams].slice(first, first + perRun);

test.each(drawn)(
  'without $net a test fails: $title',
  async ({ file, from, to, test: testFile, title }) => {
    const whole = await mirror.statuses(testFile, title);
    mirror.plant(file, from, to);
    const cut = await mirror.statuses(testFile, title);
    expect(whole).not.toContain('failed');
    expect(cut).toContain('failed');
  },
  300_000,
);

test('each text that a cut replaces is in its source once', () => {
  for (const { file, from, to } of seams) mirror.plant(file, from, to);
  expect(new Set(seams.map(({ net }) => net)).size).toBe(seams.length);
});
