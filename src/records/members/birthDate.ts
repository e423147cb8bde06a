import { hourMs } from '#base/common/durations';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/** The most that local time is ahead of UTC anywhere on Earth. */
const aheadMaxMs = 14 * hourMs;

/** The fault of a birth date that is in the future everywhere on Earth. */
export function birthDateFaults({ birthDate }: { birthDate?: string | undefined }, now: Date): FieldError[] {
  const today = new Date(now.getTime() + aheadMaxMs).toISOString().slice(0, 10);
  if (birthDate === undefined || birthDate <= today) return [];
  return [{ path: 'birthDate', kind: 'date', ...message('schema.inFuture') }];
}

/**
 * Refuses a birth date that is in the future everywhere on Earth.
 * @throws ServiceError 1200, kind `date`
 */
export function requirePastBirthDate(body: { birthDate?: string | undefined }, now: Date): void {
  const faults = birthDateFaults(body, now);
  if (faults.length > 0) throw validationError(faults);
}
