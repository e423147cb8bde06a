import { serializedByKey } from '#publishing/rulesets/files/serializedByKey';

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

function recorder() {
  const events: string[] = [];
  let runs = 0;
  const run = serializedByKey(async (key) => {
    runs += 1;
    const name = `${key}${runs}`;
    events.push(`${name} begins`);
    await tick();
    events.push(`${name} ends`);
    if (key === 'bad') throw new Error('bad');
    return name;
  });
  return { events, run };
}

test('runs of one key never overlap', async () => {
  const { events, run } = recorder();
  const first = run('a');
  await tick();
  await Promise.all([first, run('a')]);
  expect(events).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
});

test('a call during a run gets a later run, shared with other waiting calls', async () => {
  const { run } = recorder();
  const first = run('a');
  await Promise.resolve();
  await Promise.resolve();
  const waiting = [run('a'), run('a'), run('a')];
  expect(await first).toBe('a1');
  expect(await Promise.all(waiting)).toEqual(['a2', 'a2', 'a2']);
});

test('keys do not wait for each other', async () => {
  const { events, run } = recorder();
  await Promise.all([run('a'), run('b')]);
  expect(events.slice(0, 2)).toEqual(['a1 begins', 'b2 begins']);
});

test('a run that fails does so for its own callers only', async () => {
  const { run } = recorder();
  const failing = run('bad');
  await expect(failing).rejects.toThrow('bad');
  await expect(run('bad')).rejects.toThrow('bad');
  expect(await run('good')).toBe('good3');
});
