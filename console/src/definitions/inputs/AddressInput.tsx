import Box from '@mui/material/Box';
import { TextInput, useRecordContext } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { addressParts } from './addressParts';
import { FieldGrid } from './FieldGrid';
import { FreeInput } from './FreeInput';

/** The inputs of an address, whose parts the service leaves open. */
export function AddressInput({ source }: { source: string }) {
  const label = useFieldLabel();
  const stored = fieldsOf(useRecordContext()?.[source]);
  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, m: 0, px: 2, pb: 2, minWidth: 0 }}
    >
      <Box component="legend" sx={{ px: 0.5 }}>
        {label('address')}
      </Box>
      <FieldGrid>
        {addressParts(stored).map(({ name, labelled }) => {
          const props = { source: `${source}.${name}`, label: label(labelled), helperText: false as const };
          return typeof stored[name] === 'object' && stored[name] !== null ? (
            <FreeInput key={name} {...props} validate={[]} />
          ) : (
            <TextInput key={name} {...props} autoComplete="off" />
          );
        })}
      </FieldGrid>
    </Box>
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
