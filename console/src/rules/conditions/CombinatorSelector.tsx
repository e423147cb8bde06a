import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import type { CombinatorSelectorProps } from 'react-querybuilder';
import { useRuleForm } from '../inputs/RuleFormContext';

/** Chooses whether all conditions of a group must hold, or one of them. */
export function CombinatorSelector({ value, handleOnChange }: CombinatorSelectorProps) {
  const translate = useTranslate();
  const { isReadOnly } = useRuleForm();
  return (
    <TextField
      select
      label={translate('rules.conditions.combine')}
      value={value ?? 'all'}
      disabled={isReadOnly}
      onChange={({ target }) => handleOnChange(target.value)}
      sx={{ width: 'auto', flex: '0 1 280px' }}
    >
      {['all', 'any'].map((name) => (
        <MenuItem key={name} value={name}>
          {translate(`rules.conditions.${name}`)}
        </MenuItem>
      ))}
    </TextField>
  );
}
