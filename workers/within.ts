/** How long work in progress may take when a worker closes, in milliseconds. */
export const closeMaxMs = 8000;

/** Waits until work ends or `maxMs` milliseconds have passed. It ignores the result and the error of the work. */
export async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
