/** How long work in hand has when a worker closes, in milliseconds. */
export const closeMaxMs = 8000;

/** Waits for something, but not longer than this, and not for its result. */
export async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
