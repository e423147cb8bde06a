import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import { BooleanInput, NumberInput, TextInput, useRecordContext, type Validator } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { addressParts, hasPaths } from './addressParts';
import { FieldGrid } from './FieldGrid';
import { FreeInput } from './FreeInput';

interface AddressInputProps {
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/**
 * The inputs of an address, whose parts the service leaves open; each part keeps the type that it has. An address that
 * has names which are no paths in a form, or that is checked as a whole, is JSON.
 */
export function AddressInput(props: AddressInputProps) {
  const label = useFieldLabel();
  const stored = fieldsOf(useRecordContext()?.[props.source]);
  if (!hasPaths(stored) || props.validate.length > 0) return <FreeInput {...props} />;
  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, m: 0, px: 2, pb: 2, minWidth: 0 }}
    >
      <Box component="legend" sx={{ px: 0.5 }}>
        {props.label}
      </Box>
      {props.helperText ? <FormHelperText sx={{ mt: 0, mb: 1.5 }}>{props.helperText}</FormHelperText> : null}
      <FieldGrid>
        {addressParts(stored).map(({ name, labelled }) => (
          <PartInput key={name} source={`${props.source}.${name}`} label={label(labelled)} stored={stored[name]} />
        ))}
      </FieldGrid>
    </Box>
  );
}

function PartInput({ stored, ...others }: { source: string; label: string; stored: unknown }) {
  const props = { ...others, helperText: false as const };
  if (typeof stored === 'number') return <NumberInput {...props} step="any" />;
  if (typeof stored === 'boolean') return <BooleanInput {...props} />;
  if (typeof stored === 'object' && stored !== null) return <FreeInput {...props} validate={[]} />;
  return <TextInput {...props} autoComplete="off" />;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
