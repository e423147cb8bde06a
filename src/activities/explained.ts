import type { Decision } from '../rules/decision';

/** Every rule of the activity's type with its reason, as `explain=true` answers it (DESIGN 8). */
export function explained({ ruleMatch }: Decision): Record<string, unknown>[] {
  return ruleMatch.map((match) => ({ ...match }));
}
