import type { FieldError } from '#base/common/errors';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { endsAlike } from './tierTerms';

/** Finds faults that the schema cannot find in the terms of a tier policy and in its lifetime levels. */
export function policyFaults({ levels = [], basis, expiry, lateClaims }: Partial<TierPolicy>): FieldError[] {
  const faults = levels.flatMap(({ lifetime }, index) => lifetimeFaults(lifetime, `levels.${index}.lifetime`));
  if (expiry && expiry.value === 0 && !expiry.snap) {
    faults.push({ path: 'expiry.value', kind: 'minimum', message: 'must be >= 1 without a snap' });
  }
  if (lateClaims !== 'counted') return faults;
  if (!basis) faults.push({ path: 'basis', kind: 'required', message: 'is required when late claims are counted' });
  else if (!endsAlike({ basis, ...(expiry ? { expiry } : {}) })) {
    const message = `must end alike for all days of a ${basis.period} when late claims are counted: with a snap, such as 1 year and endOfYear`;
    faults.push({ path: 'expiry.snap', kind: 'enum', message });
  }
  return faults;
}

function lifetimeFaults(lifetime: TierPolicy['levels'][number]['lifetime'], path: string): FieldError[] {
  if (!lifetime) return [];
  const { years, metric, atLeast } = lifetime;
  const required = 'required';
  if (metric !== undefined && atLeast === undefined) {
    return [{ path: `${path}.atLeast`, kind: required, message: 'is required with a metric' }];
  }
  if (atLeast !== undefined && metric === undefined) {
    return [{ path: `${path}.metric`, kind: required, message: 'is required with atLeast' }];
  }
  if (years === undefined && metric === undefined) {
    return [{ path: `${path}.years`, kind: required, message: 'is required without a metric' }];
  }
  return [];
}
