import Stack from '@mui/material/Stack';
import { useMemo } from 'react';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { ComparisonFields } from '../conditions/ComparisonFields';
import { ConditionsField } from '../conditions/ConditionsField';
import type { RuleFields } from '../draft/parsedRule';
import { ActionFields } from '../form/ActionFields';
import { useRuleForm } from '../inputs/RuleFormContext';
import { fieldsOf, isObject } from '../schema/fieldShape';
import type { Chip, ChipKind } from './sentence';

/** The fields of the rule itself that stand behind a part. */
const fieldsBehind: Partial<Record<ChipKind, readonly string[]>> = {
  whom: ['tiers', 'segments'],
  occasion: ['activityTypes', 'schedule'],
  hours: ['hours'],
  effective: ['effective'],
  budget: ['budget'],
};

/** The fields behind a part of the sentence. */
export function ChipFields({ chip, rule }: { chip: Chip; rule: RuleFields }) {
  const { change } = useRuleForm();
  const { kind, path, value } = chip;
  const names = fieldsBehind[kind];
  if (names) return <FieldsOfRule rule={rule} names={names} />;
  if (kind === 'action') return <ActionFields action={value} index={Number(path[1])} />;
  if (kind === 'limit') return <LimitFields path={path} value={value} />;
  if (isObject(value) && typeof value.fact === 'string' && 'value' in value)
    return <ComparisonFields condition={value} onChange={(next) => change({ path, value: next })} />;
  return <ConditionsField value={rule.conditions} />;
}

/** Fields of the rule itself, also those that it does not have yet. */
function FieldsOfRule({ rule, names }: { rule: RuleFields; names: readonly string[] }) {
  const { schema, Field } = useRuleForm();
  const label = useFieldLabel();
  const fields = useMemo(
    () => fieldsOf(schema.$defs.rule ?? {}, schema, 'rule').filter(({ name }) => names.includes(name)),
    [schema, names],
  );
  return (
    <Stack sx={{ gap: 2 }}>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={label(field)}
          shape={field.shape}
          path={[field.name]}
          value={rule[field.name]}
          help={field.description}
        />
      ))}
    </Stack>
  );
}

function LimitFields({ path, value }: Pick<Chip, 'path' | 'value'>) {
  const { schema, Field } = useRuleForm();
  const shape = useMemo(() => {
    const limits = fieldsOf(schema.$defs.rule ?? {}, schema, 'rule').find(({ name }) => name === 'limits')?.shape;
    return limits?.kind === 'list' ? limits.item : undefined;
  }, [schema]);
  return shape ? <Field label="" shape={shape} path={path} value={value} /> : null;
}
