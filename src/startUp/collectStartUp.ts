/**
 * Collects what modules and compiled schemas left behind, before the hot paths run for the first time: an object literal
 * first run while V8's table of shapes is full makes a shape of its own each time, for as long as the process lives
 * (docs/decisions/0018). Does nothing where `node` runs without `--expose-gc`.
 */
export function collectStartUp(): void {
  globalThis.gc?.();
}
