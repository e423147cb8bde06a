/**
 * Does work for each item, one after the other, also after it failed for one.
 * @param isOfAll tells that a failure would be the same for every item, which ends it
 * @throws the first failure, after all items; at once one that is of all
 */
export async function eachDespiteFailures<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
  isOfAll: (error: unknown) => boolean = () => false,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isOfAll(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
