import { auditorOf } from '#platform/audit/auditor';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import type { Request } from '../route';

/** Who writes records by a request, and when. */
export function writeContextOf(request: Request): WriteContext {
  const { services, principal, now, machineClock } = request;
  return { services, principal, auditor: auditorOf(request), now, machineClock };
}
