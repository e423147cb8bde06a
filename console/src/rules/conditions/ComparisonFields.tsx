import Stack from '@mui/material/Stack';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { type Change, withChange } from '../draft/ruleText';
import { FactChoice } from '../inputs/FactChoice';
import { RuleFormProvider, useRuleForm } from '../inputs/RuleFormContext';
import type { Condition } from '../schema/conditionQuery';
import { fittingRow } from '../schema/fittingRows';
import { comparisonOf, factOf, fieldOf, paramsShape } from './comparisonOf';
import { OperatorChoice } from './OperatorChoice';
import { ValueInput } from './ValueInput';

interface ComparisonFieldsProps {
  condition: Condition;
  onChange(condition: Condition): void;
}

/** One comparison: what is compared, how, and with what. */
export function ComparisonFields({ condition, onChange }: ComparisonFieldsProps) {
  const translate = useTranslate();
  const { schema } = useRuleForm();
  const { fact, path, params, operator, value, ...more } = condition;
  return (
    <Stack sx={{ gap: 2 }}>
      <FactChoice
        label={translate('rules.conditions.fact')}
        value={{ fact, path, params }}
        isWithoutParams
        onChange={(next) => onChange({ ...comparisonOf(schema, next as Condition, { operator, value }), ...more })}
      />
      <ComparisonValue condition={condition} onChange={onChange} />
    </Stack>
  );
}

/** The params of the fact of a comparison, how it is compared, and with what. */
export function ComparisonValue({ condition, onChange }: ComparisonFieldsProps) {
  const translate = useTranslate();
  const tools = useRuleForm();
  const { schema, Field } = tools;
  const { fact, path, params, operator, value, ...more } = condition;
  const field = fieldOf(condition);
  const shape = useMemo(() => paramsShape(schema, String(fact)), [schema, fact]);
  // The fields of the params change the comparison, wherever it stands.
  const own = useMemo(
    () => ({
      ...tools,
      change: (part: Change) => onChange(JSON.parse(withChange(JSON.stringify(condition), part)) as Condition),
    }),
    [tools, condition, onChange],
  );
  const keep = (next: Condition) => onChange({ ...factOf(condition), ...next, ...more });
  return (
    <>
      {shape ? (
        <RuleFormProvider value={own}>
          <Field label={translate('rules.sentence.params')} shape={shape} path={['params']} value={params} />
        </RuleFormProvider>
      ) : null}
      <OperatorChoice
        field={field}
        operator={String(operator)}
        onChange={(next) => {
          const row = fittingRow({ field, operator: next, value }, false, schema);
          keep({ operator: row.operator, value: row.value });
        }}
      />
      <ValueInput
        field={field}
        operator={String(operator)}
        value={value}
        onChange={(next) => keep({ operator, value: next })}
      />
    </>
  );
}
