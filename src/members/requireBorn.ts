import { invalidField } from '../common/errors';

/** How far the calendar may be ahead of UTC somewhere on Earth. */
const aheadMaxMs = 14 * 3_600_000;

/**
 * Refuses a birth date that lies ahead everywhere on Earth.
 * @throws ServiceError 1200, kind `date`
 */
export function requireBorn({ birthDate }: { birthDate?: string | undefined }, now: Date): void {
  const today = new Date(now.getTime() + aheadMaxMs).toISOString().slice(0, 10);
  if (birthDate !== undefined && birthDate > today)
    throw invalidField('birthDate', 'date', 'must not be in the future');
}
