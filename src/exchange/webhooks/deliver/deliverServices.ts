import type { Backing } from '#platform/infrastructure/backing';
import type { SendSlots } from './sendSlots';
import type { Transport } from './transport';

/** What deliveries need. */
export type DeliverServices = Pick<Backing, 'db' | 'clock' | 'log' | 'config' | 'tokenKey'> & {
  transport: Transport;
  slots: SendSlots;
};

/** How deliveries stop: `ending` begins no more of them, `cutting` also ends those in flight. */
export interface Stops {
  ending: AbortSignal;
  cutting: AbortSignal;
}
