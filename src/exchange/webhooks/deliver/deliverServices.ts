import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { AttemptLimiter } from './attemptLimiter';
import type { Transport } from './transport';

/** What deliveries need. */
export type DeliverServices = Pick<Infrastructure, 'db' | 'clock' | 'log' | 'config' | 'tokenKey'> & {
  transport: Transport;
  attemptLimiter: AttemptLimiter;
};

/** How deliveries stop: `ending` begins no more of them, `cutting` also ends those in flight. */
export interface Stops {
  ending: AbortSignal;
  cutting: AbortSignal;
}
