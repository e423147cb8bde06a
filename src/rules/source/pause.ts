/** Lets everything else of the process that waits have its turn: files are read while activities are processed. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
