import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { QueryBuilderMaterial } from '@react-querybuilder/material';
import { useEffect, useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { QueryBuilder, type RuleGroupType } from 'react-querybuilder';
import { isSame } from '../../api/changes';
import { JsonField } from '../inputs/JsonField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { type ConditionGroup, conditionsOf, fieldName, queryOf } from '../schema/conditionQuery';
import { factOptions } from '../schema/factOptions';
import { withFittingRows } from '../schema/fittingRows';
import { CombinatorSelector } from './CombinatorSelector';
import { ComparedValue } from './ComparedValue';
import { FactSelector } from './FactSelector';
import { OperatorSelector } from './OperatorSelector';

const path = ['conditions'];
const always = { all: [] };
const begun = fieldName({ fact: 'activity', path: '$.value' });

/** The conditions of a rule as groups and comparisons that can be built. */
export function ConditionsField({ value }: { value: unknown }) {
  const translate = useTranslate();
  const { schema, isReadOnly, change } = useRuleForm();
  // The query has ids that keep what is typed in its place, so it stays until the rule is changed elsewhere.
  const [query, setQuery] = useState(() => queryOf(value));
  useEffect(() => {
    setQuery((before) => (before && isSame(conditionsOf(before), value ?? always) ? before : queryOf(value)));
  }, [value]);
  const fields = useMemo(() => factOptions(schema).map(({ name, label }) => ({ name, label, value: name })), [schema]);
  const combinators = (['all', 'any'] as const).map((name) => ({
    name,
    value: name,
    label: translate(`rules.conditions.${name}`),
  }));
  if (!query) {
    return (
      <>
        <Typography>{translate('rules.conditions.notShown')}</Typography>
        <JsonField
          label={translate('rules.form.conditions')}
          value={value}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ path, value: next })}
        />
      </>
    );
  }
  return (
    <Box sx={looks}>
      {query.rules.length === 0 ? (
        <Typography color="textSecondary">{translate('rules.conditions.always')}</Typography>
      ) : null}
      <QueryBuilderMaterial>
        <QueryBuilder
          query={query as unknown as RuleGroupType}
          fields={fields}
          combinators={combinators}
          getOperators={() => null}
          disabled={isReadOnly}
          showNotToggle
          resetOnFieldChange={false}
          onAddRule={() => ({ field: begun, operator: 'greaterThan', value: 0 }) as never}
          controlElements={{
            combinatorSelector: CombinatorSelector,
            fieldSelector: FactSelector,
            operatorSelector: OperatorSelector,
            valueEditor: ComparedValue,
          }}
          translations={{
            addRule: { label: translate('rules.conditions.add'), title: translate('rules.conditions.add') },
            addGroup: { label: translate('rules.conditions.addGroup'), title: translate('rules.conditions.addGroup') },
            removeRule: { label: '✕', title: translate('rules.conditions.remove') },
            removeGroup: { label: '✕', title: translate('rules.conditions.removeGroup') },
            notToggle: { label: translate('rules.conditions.not'), title: translate('rules.conditions.not') },
            combinators: { title: translate('rules.conditions.combine') },
          }}
          onQueryChange={(changed) => {
            const next = withFittingRows(query, changed as unknown as ConditionGroup, schema);
            setQuery(next);
            const conditions = conditionsOf(next);
            if (isSame(conditions, value ?? always)) return;
            change({ path, value: value === undefined && isSame(conditions, always) ? undefined : conditions });
          }}
        />
      </QueryBuilderMaterial>
    </Box>
  );
}

/** The looks of the query builder: nothing of its own style sheet, which would not know the theme. */
const looks = {
  '& .ruleGroup': {
    display: 'flex',
    flexDirection: 'column',
    gap: 1,
    p: 1.5,
    border: '1px solid',
    borderColor: 'divider',
    borderRadius: 1,
  },
  '& .ruleGroup-header': { display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' },
  '& .ruleGroup-body': { display: 'flex', flexDirection: 'column', gap: 1 },
  '& .rule': { display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'flex-start' },
  '& .ruleGroup-combinators': { width: 'auto', flex: '0 1 260px' },
  '& .rule .MuiFormControl-root, & .rule .MuiAutocomplete-root': { width: 'auto' },
  // The text field of a choice is as wide as the choice.
  '& .rule .MuiAutocomplete-root .MuiFormControl-root': { width: '100%' },
  '& .MuiButton-root': {
    boxShadow: 'none',
    bgcolor: 'transparent',
    color: 'primary.main',
    '&:hover': { bgcolor: 'action.hover', boxShadow: 'none' },
  },
  '& .rule-remove, & .ruleGroup-remove': { color: 'text.primary', minWidth: 36, ml: 'auto' },
};
