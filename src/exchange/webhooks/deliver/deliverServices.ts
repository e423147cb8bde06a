import type { Semaphore } from '#base/limits/semaphore';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Transport } from './transport';

/** What deliveries need. */
export type DeliverServices = Pick<Infrastructure, 'db' | 'clock' | 'log' | 'config' | 'tokenKey'> & {
  transport: Transport;
  /** The attempts that this process makes at once, over all webhooks. */
  attemptSlots: Semaphore;
};

/** How deliveries stop: `ending` begins no more of them, `cutting` also ends those in flight. */
export interface Stops {
  ending: AbortSignal;
  cutting: AbortSignal;
}
