import type { ObjectId } from 'bson';
import type { Backing } from '../backing/backing';
import { ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { machineClockOf } from '../orgs/orgClock';
import { orgResource } from '../records/users/org';
import { continueMove, type MoveServices } from './moveClock';

/** How long one run of the timer moves the clock of one sandbox. */
const runMs = 20_000;

/**
 * Moves the clock of a sandbox on when a request or a killed process left it on its way.
 * @returns how many clocks are still on their way
 */
export async function continueSandbox(
  services: MoveServices & Pick<Backing, 'resources'>,
  { org }: { org: ObjectId },
): Promise<{ moving: number }> {
  const found = await collectionOf(services.db, orgResource).findOne({ _id: org });
  if (found?.sandbox?.aheadUntilMs === undefined) return { moving: 0 };
  try {
    return { moving: (await continueMove({ ...services, clock: machineClockOf(services.clock) }, org, runMs)) ? 0 : 1 };
  } catch (error) {
    // Another process moves it.
    if (error instanceof ServiceError && error.reason === 'inFlight') return { moving: 1 };
    throw error;
  }
}
