import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { FieldChoice } from './ColumnChoice';
import type { MappingDraft } from './mappingDraft';
import type { FaultOf } from './mappingFaults';

interface ConstantsProps {
  constants: MappingDraft['constants'];
  choices: readonly string[];
  faultOf: FaultOf;
  onChange(constants: MappingDraft['constants']): void;
}

/** Values that all rows have, for fields that no column has. */
export function Constants({ constants, choices, faultOf, onChange }: ConstantsProps) {
  const translate = useTranslate();
  const put = (place: number, changed: Partial<MappingDraft['constants'][number]>) =>
    onChange(constants.map((each, at) => (at === place ? { ...each, ...changed } : each)));
  return (
    <Stack sx={{ gap: 2 }}>
      <Typography variant="h3">{translate('operations.mapping.constants')}</Typography>
      {constants.map(({ field, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field may be chosen twice until it is corrected
        <Stack key={place} direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'flex-start' }}>
          <FieldChoice
            label={translate('operations.mapping.constantField', { n: place + 1 })}
            {...{ field, choices }}
            onChange={(chosen) => put(place, { field: chosen })}
          />
          <TextField
            label={translate('operations.mapping.constantValue', { n: place + 1 })}
            value={value}
            onChange={({ target }) => put(place, { value: target.value })}
            error={faultOf(`set[${field}]`, field) !== undefined}
            helperText={faultOf(`set[${field}]`, field)}
            fullWidth={false}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
            sx={{ flex: '1 1 160px', minWidth: 0 }}
          />
          <Button onClick={() => onChange(constants.filter((_each, at) => at !== place))}>
            {translate('operations.mapping.remove', { n: place + 1 })}
          </Button>
        </Stack>
      ))}
      <Button
        onClick={() => onChange([...constants, { field: '', value: '' }])}
        disabled={constants.length >= constantsMax}
        sx={{ alignSelf: 'flex-start' }}
      >
        {translate('operations.mapping.addConstant')}
      </Button>
    </Stack>
  );
}

/** The most values of one mapping (docs/design/bulk.md). */
const constantsMax = 50;
