import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import type { MappingDraft } from './mappingDraft';
import type { FaultOf } from './mappingFaults';

interface FormsProps {
  draft: MappingDraft;
  faultOf: FaultOf;
  /** The rows do not tell whether the day or the month stands first. */
  isDateDoubtful: boolean;
  onChange(draft: MappingDraft): void;
}

const decimals = ['', 'comma', 'point'] as const;

/** How dates and numbers of the file are written. */
export function Forms({ draft, faultOf, isDateDoubtful, onChange }: FormsProps) {
  const translate = useTranslate();
  const t = (key: string) => translate(`operations.mapping.${key}`);
  const helps = {
    dateFormat: t(isDateDoubtful && draft.dateFormat === '' ? 'doubtfulDate' : 'dateFormatHelp'),
    timezone: t('timezoneHelp'),
    amountFactor: t('amountFactorHelp'),
    pointsFactor: t('pointsFactorHelp'),
  };
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'flex-start' }}>
      {(['dateFormat', 'timezone', 'amountFactor', 'pointsFactor'] as const).map((name) => (
        <TextField
          key={name}
          label={t(name)}
          value={draft[name]}
          onChange={({ target }) => onChange({ ...draft, [name]: target.value.trim() === '' ? '' : target.value })}
          error={faultOf(name) !== undefined}
          helperText={faultOf(name) ?? helps[name]}
          fullWidth={false}
          slotProps={{ htmlInput: { maxLength: 64 } }}
          sx={{ flex: '1 1 200px', minWidth: 0 }}
        />
      ))}
      <TextField
        select
        label={t('decimals')}
        value={draft.decimals}
        onChange={({ target }) =>
          onChange({ ...draft, decimals: decimals.find((each) => each === target.value) ?? '' })
        }
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        fullWidth={false}
        sx={{ flex: '1 1 200px', minWidth: 0 }}
      >
        {decimals.map((each) => (
          <MenuItem key={each} value={each}>
            {t(`decimalForms.${each || 'strict'}`)}
          </MenuItem>
        ))}
      </TextField>
    </Stack>
  );
}
