/**
 * Collects the garbage of loading modules and compiling schemas, before the hot paths run for the first time. An object
 * literal that first runs while V8's table of shapes is full makes a new shape each time, for the whole life of the
 * process (docs/decisions/0018). Does nothing when `node` runs without `--expose-gc`.
 */
export function collectStartUp(): void {
  globalThis.gc?.();
}
