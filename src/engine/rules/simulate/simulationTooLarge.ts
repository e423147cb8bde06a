/** Thrown when a simulation needs too much memory. The message proposes a remedy. */
export class SimulationTooLarge extends Error {
  override readonly name = 'SimulationTooLarge';
}
