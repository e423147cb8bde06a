import { createContext, useContext } from 'react';
import type { Change } from '../draft/ruleText';
import type { RuleSchema } from './knownFacts';

/** What every field of the form needs. */
export interface RuleFormTools {
  schema: RuleSchema;
  isReadOnly: boolean;
  change(change: Change): void;
}

const Tools = createContext<RuleFormTools | undefined>(undefined);

export const RuleFormProvider = Tools.Provider;

/** What every field of the form needs. */
export function useRuleForm(): RuleFormTools {
  const tools = useContext(Tools);
  if (!tools) throw new Error('outside of the form of a rule');
  return tools;
}
