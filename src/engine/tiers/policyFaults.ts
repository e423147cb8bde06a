import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { endsAlike } from './tierTerms';

/** Finds faults that the schema cannot find in the terms of a tier policy and in its lifetime levels. */
export function policyFaults({ levels = [], basis, expiry, lateClaims }: Partial<TierPolicy>): FieldError[] {
  const faults = levels.flatMap(({ lifetime }, index) => lifetimeFaults(lifetime, `levels.${index}.lifetime`));
  if (expiry && expiry.value === 0 && !expiry.snap) {
    faults.push({ path: 'expiry.value', kind: 'minimum', ...message('tiers.minimumWithoutSnap') });
  }
  if (lateClaims !== 'counted') return faults;
  if (!basis) faults.push({ path: 'basis', kind: 'required', ...message('tiers.requiredWithLateClaims') });
  else if (!endsAlike({ basis, ...(expiry ? { expiry } : {}) })) {
    const fault = message('tiers.endsAlike', { period: basis.period });
    faults.push({ path: 'expiry.snap', kind: 'enum', ...fault });
  }
  return faults;
}

function lifetimeFaults(lifetime: TierPolicy['levels'][number]['lifetime'], path: string): FieldError[] {
  if (!lifetime) return [];
  const { years, metric, atLeast } = lifetime;
  const required = 'required';
  if (metric !== undefined && atLeast === undefined) {
    return [{ path: `${path}.atLeast`, kind: required, ...message('tiers.requiredWithMetric') }];
  }
  if (atLeast !== undefined && metric === undefined) {
    return [{ path: `${path}.metric`, kind: required, ...message('tiers.requiredWithAtLeast') }];
  }
  if (years === undefined && metric === undefined) {
    return [{ path: `${path}.years`, kind: required, ...message('tiers.requiredWithoutMetric') }];
  }
  return [];
}
