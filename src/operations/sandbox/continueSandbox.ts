import type { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import { orgResource, type Sandbox } from '#records/users/org';
import { continueMove, type MoveServices } from './moveClock';
import { removeSandbox } from './removeSandbox';
import { finishWipe } from './wipeSandbox';

/** How long one run of the timer moves the clock of one sandbox. */
const runMs = 20_000;

type ContinueServices = MoveServices & Pick<Infrastructure, 'resources'>;

/**
 * Goes on with what a request, a command or a killed process left unfinished in a sandbox: a wipe, a removal, or a clock
 * on its way.
 * @returns how many sandboxes are still on their way
 */
export async function continueSandbox(
  services: ContinueServices,
  { org }: { org: ObjectId },
): Promise<{ moving: number }> {
  const found = await collectionOf(services.db, orgResource).findOne({ _id: org });
  if (!found?.sandbox) return { moving: 0 };
  const own = { ...services, clock: toMachineClock(services.clock) };
  try {
    return { moving: (await goOn(own, org, found.sandbox)) ? 0 : 1 };
  } catch (error) {
    // Another process does it.
    if (error instanceof ServiceError && error.reason === 'inFlight') return { moving: 1 };
    throw error;
  }
}

/** Returns whether nothing is left to do. */
async function goOn(services: ContinueServices, org: ObjectId, { work, aheadUntilMs }: Sandbox): Promise<boolean> {
  if (work === 'wipe') await finishWipe(services, org);
  if (work === 'remove') await removeSandbox(services, org);
  // Nobody can finish a clone: its source may have changed since.
  if (work !== undefined || aheadUntilMs === undefined) return true;
  return continueMove(services, org, runMs);
}
