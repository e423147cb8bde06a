import type { Message } from '#base/common/messages/message';

/** Thrown when a simulation needs too much memory. The fault proposes a remedy. */
export class SimulationTooLarge extends Error {
  override readonly name = 'SimulationTooLarge';

  constructor(readonly fault: Message) {
    super(fault.message);
  }
}
