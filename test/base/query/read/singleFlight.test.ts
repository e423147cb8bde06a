import { singleFlight } from '#base/query/read/singleFlight';

/** Reads that the test ends explicitly. */
function balances() {
  const ends: ((value: number) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const read = () =>
    new Promise<number>((end, fail) => {
      ends.push(end);
      fails.push(fail);
    });
  return { ends, fails, read };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('shared runs', () => {
  it('run one at a time, and requests in the meantime share the next run', async () => {
    const { run } = singleFlight();
    const { ends, read } = balances();
    const first = run('a', read);
    const others = [run('a', read), run('a', read), run('a', read)];
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]?.(1);
    expect(await first).toBe(1);
    await turn();
    expect(ends).toHaveLength(2);
    const late = run('a', read);
    ends[1]?.(2);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    await turn();
    ends[2]?.(3);
    expect(await late).toBe(3);
    expect(ends).toHaveLength(3);
  });

  it('begin at once when nothing runs, and keep keys apart', async () => {
    const { run } = singleFlight();
    const { ends, read } = balances();
    const both = [run('a', read), run('b', read)];
    expect(ends).toHaveLength(2);
    ends.forEach((end, index) => void end(index));
    expect(await Promise.all(both)).toEqual([0, 1]);
    await turn();
    const again = run('a', read);
    ends[2]?.(7);
    expect(await again).toBe(7);
  });

  it('that fail, fail those who share them only', async () => {
    const { run } = singleFlight();
    const { ends, fails, read } = balances();
    const first = run('a', read);
    const second = run('a', read);
    fails[0]?.(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await turn();
    ends[1]?.(2);
    expect(await second).toBe(2);
  });
});
