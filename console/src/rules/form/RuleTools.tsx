import { type ReactNode, useMemo } from 'react';
import type { Change } from '../draft/ruleText';
import { RuleFormProvider } from '../inputs/RuleFormContext';
import type { RuleSchema } from '../schema/knownFacts';
import { SchemaField } from './SchemaField';

interface RuleToolsProps {
  schema: RuleSchema;
  isReadOnly: boolean;
  onChange(change: Change): void;
  children: ReactNode;
}

/** Gives the fields within what they need to show and change a rule. */
export function RuleTools({ schema, isReadOnly, onChange, children }: RuleToolsProps) {
  const tools = useMemo(
    () => ({ schema, isReadOnly, change: onChange, Field: SchemaField }),
    [schema, isReadOnly, onChange],
  );
  return <RuleFormProvider value={tools}>{children}</RuleFormProvider>;
}
