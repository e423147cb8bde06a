import { type ComponentType, createContext, useContext } from 'react';
import type { Change } from '../draft/ruleText';
import type { FieldShape } from '../schema/fieldShape';
import type { RuleSchema } from '../schema/knownFacts';

/** A place in a rule with its value. */
export interface FieldProps {
  /** Its label; default: the last name of the path. */
  label?: string | undefined;
  path: (string | number)[];
  value: unknown;
  help?: string | undefined;
}

/** What every field of the form needs. */
export interface RuleFormTools {
  /** Shows a field by its shape. Fields that have parts show them with it. */
  Field: ComponentType<FieldProps & { shape: FieldShape }>;
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
