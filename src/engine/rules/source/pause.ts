/** Yields to the event loop, so that reading files does not delay the processing of activities. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
