import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { factorsOf, type ImportFields } from './importFields';
import type { MappingDraft, Proposal } from './mappingDraft';
import type { FaultOf } from './mappingFaults';

interface FormsProps {
  draft: MappingDraft;
  faultOf: FaultOf;
  proposal: Proposal;
  fields: ImportFields;
  onChange(draft: MappingDraft): void;
}

const decimals = ['', 'comma', 'point'] as const;
const inputs = ['dateFormat', 'timezone', 'amountFactor', 'pointsFactor'] as const;

const isFactor = (name: (typeof inputs)[number]) => name === 'amountFactor' || name === 'pointsFactor';

const dateHelps = { order: 'doubtfulDate', mixed: 'mixedDates' } as const;

/** The words below each input: what may be typed there, or why something is or is not proposed. */
function helpsOf(
  { dateFormat, amountFactor, pointsFactor }: MappingDraft,
  { draft, dateDoubt, hasPointDecimals }: Proposal,
) {
  const isAmountProposed = amountFactor !== '' && amountFactor === draft.amountFactor;
  return {
    dateFormat: dateDoubt && dateFormat === '' ? dateHelps[dateDoubt] : 'dateFormatHelp',
    timezone: 'timezoneHelp',
    amountFactor: isAmountProposed ? 'amountFactorProposed' : 'amountFactorHelp',
    pointsFactor: hasPointDecimals && pointsFactor === '' ? 'pointsDecimals' : 'pointsFactorHelp',
  };
}

/** How dates and numbers of the file are written. */
export function Forms({ draft, faultOf, proposal, fields, onChange }: FormsProps) {
  const translate = useTranslate();
  const t = (key: string) => translate(`operations.mapping.${key}`);
  const helps = helpsOf(draft, proposal);
  const factors = factorsOf(fields);
  const shown = inputs.filter((name) => draft[name] !== '' || !isFactor(name) || factors.includes(name));
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'flex-start' }}>
      {shown.map((name) => (
        <TextField
          key={name}
          label={t(name)}
          value={draft[name]}
          onChange={({ target }) => onChange({ ...draft, [name]: target.value.trim() === '' ? '' : target.value })}
          error={faultOf(name) !== undefined}
          helperText={faultOf(name) ?? t(helps[name])}
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
