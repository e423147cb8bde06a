/** A simulation comes to more than a process can hold; its message says what helps. */
export class SimulationTooLarge extends Error {
  override readonly name = 'SimulationTooLarge';
}
