/**
 * Does work on a list of rows. When the work fails because of a row, it is done for both halves, so that a bad row does
 * not fail its neighbours.
 * @param isOfRows tells whether an error may be caused by a row, and not by the store
 * @param failedAlone returns the outcome of a row that fails alone
 */
export async function bisectFailures<T, R>(
  rows: readonly T[],
  work: (rows: readonly T[]) => Promise<R[]>,
  { isOfRows, failedAlone }: { isOfRows(error: unknown): boolean; failedAlone(error: unknown, row: T): Promise<R> | R },
): Promise<R[]> {
  if (rows.length === 0) return [];
  try {
    return await work(rows);
  } catch (error) {
    if (!isOfRows(error)) throw error;
    const [first] = rows;
    if (rows.length === 1 && first !== undefined) return [await failedAlone(error, first)];
    const middle = Math.ceil(rows.length / 2);
    const halves = { isOfRows, failedAlone };
    const before = await bisectFailures(rows.slice(0, middle), work, halves);
    return [...before, ...(await bisectFailures(rows.slice(middle), work, halves))];
  }
}
