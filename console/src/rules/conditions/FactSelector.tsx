import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { FieldSelectorProps } from 'react-querybuilder';
import { FactChoice } from '../inputs/FactChoice';
import { fieldName, namedField } from '../schema/conditionQuery';

/** Chooses what a comparison compares. A named condition stays what it is. */
export function FactSelector({ value, handleOnChange }: FieldSelectorProps) {
  const translate = useTranslate();
  const named = namedField(value ?? '{"fact":""}');
  if ('condition' in named) {
    return <Typography sx={{ py: 1 }}>{translate('rules.conditions.named', { name: named.condition })}</Typography>;
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: '2 1 260px', minWidth: 0 }}>
      <FactChoice
        label={translate('rules.conditions.fact')}
        value={named}
        onChange={(next) => handleOnChange(fieldName(next as { fact: string }))}
      />
    </Box>
  );
}
