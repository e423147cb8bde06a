import { invalidField } from '../common/errors';

/** The most that local time is ahead of UTC anywhere on Earth. */
const aheadMaxMs = 14 * 3_600_000;

/**
 * Refuses a birth date that is in the future everywhere on Earth.
 * @throws ServiceError 1200, kind `date`
 */
export function requirePastBirthDate({ birthDate }: { birthDate?: string | undefined }, now: Date): void {
  const today = new Date(now.getTime() + aheadMaxMs).toISOString().slice(0, 10);
  if (birthDate !== undefined && birthDate > today)
    throw invalidField('birthDate', 'date', 'must not be in the future');
}
