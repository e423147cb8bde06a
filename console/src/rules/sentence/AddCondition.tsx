import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { FormDialog } from '../../ui/FormDialog';
import { ComparisonValue } from '../conditions/ComparisonFields';
import { comparisonOf } from '../conditions/comparisonOf';
import type { RuleFields } from '../draft/parsedRule';
import { useRuleForm } from '../inputs/RuleFormContext';
import { useFactLabel } from '../inputs/useFactLabel';
import { type Condition, namedField } from '../schema/conditionQuery';
import { type FactOption, factOptions } from '../schema/factOptions';
import { type FactGroup, factGroups, factsOfGroup } from './factGroups';
import { addedCondition } from './sentence';

/** Adds a condition in two steps: what it is about, and which of it. Then how it is compared. */
export function AddCondition({ rule, onClose }: { rule: RuleFields; onClose(): void }) {
  const translate = useTranslate();
  const factLabel = useFactLabel();
  const { schema, change } = useRuleForm();
  const [group, setGroup] = useState<FactGroup>('purchase');
  const [condition, setCondition] = useState<Condition>();
  const options = useMemo(() => factsOfGroup(factOptions(schema), group), [schema, group]);
  return (
    <FormDialog
      title={translate('rules.sentence.add.condition')}
      submit={translate('rules.sentence.add.submit')}
      error={undefined}
      isBusy={false}
      isReady={condition !== undefined}
      onClose={onClose}
      onSubmit={() => {
        for (const each of condition ? addedCondition(rule, condition) : []) change(each);
        onClose();
      }}
    >
      <Typography id="condition-about">{translate('rules.sentence.add.about')}</Typography>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={group}
        aria-labelledby="condition-about"
        sx={{ flexWrap: 'wrap' }}
        onChange={(_event, next: FactGroup | null) => {
          if (!next) return;
          setGroup(next);
          setCondition(undefined);
        }}
      >
        {factGroups.map((each) => (
          <ToggleButton key={each} value={each}>
            {translate(`rules.sentence.groups.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Autocomplete
        key={group}
        options={options}
        openOnFocus
        autoHighlight
        getOptionLabel={factLabel}
        getOptionKey={({ name }) => name}
        filterOptions={createFilterOptions<FactOption>({
          stringify: (option) => `${factLabel(option)} ${option.label}`,
        })}
        onChange={(_event, option) =>
          setCondition(option ? comparisonOf(schema, namedField(option.name) as unknown as Condition) : undefined)
        }
        renderInput={(input) => <TextField {...input} label={translate('rules.sentence.add.which')} />}
      />
      {condition ? <ComparisonValue condition={condition} onChange={setCondition} /> : null}
    </FormDialog>
  );
}
