import { eachDespiteFailures } from '#base/common/lists/eachDespiteFailures';

const items = [1, 2, 3, 4];

test('work is done for each item in order, and the first failure is thrown at the end', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    done.push(item);
    if (item % 2 === 0) throw new Error(`item ${item} failed`);
  };
  await expect(eachDespiteFailures(items, work)).rejects.toThrow('item 2 failed');
  expect(done).toEqual(items);
});

test('a failure that would repeat for every item ends the work at once', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    done.push(item);
    throw new Error(item < 3 ? 'of the item' : 'of the store');
  };
  const isOfAll = (error: unknown) => error instanceof Error && error.message === 'of the store';
  await expect(eachDespiteFailures(items, work, isOfAll)).rejects.toThrow('of the store');
  expect(done).toEqual([1, 2, 3]);
});

test('items may be an iterator, and work without a failure throws nothing', async () => {
  const found = (async function* () {
    yield* items;
  })();
  let sum = 0;
  await eachDespiteFailures(found, async (item) => {
    sum += item;
  });
  expect(sum).toBe(10);
});
