import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { cut } from './FirstRowsTable';
import { leftOut } from './proposeFields';

interface ColumnChoiceProps {
  column: string;
  /** A cell of the column, so that one sees what is in it. */
  sample: string;
  field: string;
  choices: readonly string[];
  fault: string | undefined;
  onChange(column: string, field: string): void;
}

/** The choice of the field that a column of the file is, or to leave it out. */
export const ColumnChoice = memo(function ColumnChoice(props: ColumnChoiceProps) {
  const { column, sample, field, choices, fault, onChange } = props;
  const translate = useTranslate();
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', listStyle: 'none' }}>
      <Box sx={{ flex: '1 1 140px', minWidth: 0 }}>
        <Typography sx={{ fontWeight: 600 }}>{cut(column)}</Typography>
        <Typography variant="body2" color="textSecondary">
          {cut(sample)}
        </Typography>
      </Box>
      <FieldChoice
        label={translate('operations.mapping.fieldOf', { column: cut(column) })}
        {...{ field, choices, fault }}
        isOptional
        onChange={(chosen) => onChange(column, chosen)}
      />
    </Box>
  );
});

interface FieldChoiceProps {
  label: string;
  field: string;
  choices: readonly string[];
  fault?: string | undefined;
  /** Whether a column may be left out. */
  isOptional?: boolean;
  onChange(field: string): void;
}

/** The choice of a field of the kind. */
export function FieldChoice({ label, field, choices, fault, isOptional = false, onChange }: FieldChoiceProps) {
  const translate = useTranslate();
  const labelOf = useFieldLabel();
  const own = field === '' || field === leftOut || choices.includes(field) ? [] : [field];
  return (
    <TextField
      select
      label={label}
      value={field}
      onChange={({ target }) => onChange(target.value)}
      error={fault !== undefined}
      helperText={fault}
      fullWidth={false}
      sx={{ flex: '1 1 220px', maxWidth: 420, minWidth: 0 }}
    >
      {isOptional ? <MenuItem value={leftOut}>{translate('operations.mapping.leaveOut')}</MenuItem> : null}
      {[...own, ...choices].map((each) => (
        <MenuItem key={each} value={each} sx={{ whiteSpace: 'normal' }}>
          {/[:.]/.test(each) ? each : `${labelOf(each)} (${each})`}
        </MenuItem>
      ))}
    </TextField>
  );
}
