import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { ComponentType } from 'react';
import { useWrappedSource } from 'react-admin';
import { useFormContext, useWatch } from 'react-hook-form';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { useHelp } from '../../i18n/useHelp';
import type { Field } from '../schema/shape';
import { FieldGrid } from './FieldGrid';
import type { FieldInputProps } from './fieldInputProps';
import { initialOf } from './initialOf';

interface ObjectInputProps {
  field: Field;
  fields: readonly Field[];
  source: string;
  /** The input of each field. */
  Input: ComponentType<FieldInputProps>;
}

/** The inputs of an object within a record. One that is not required can be switched off, which clears it. */
export function ObjectInput({ field, fields, source, Input }: ObjectInputProps) {
  const label = useFieldLabel();
  const help = useHelp();
  const { setValue, getFieldState, formState } = useFormContext();
  const path = useWrappedSource(source);
  const value: unknown = useWatch({ name: path });
  const isOn = field.isRequired || (value !== null && value !== undefined);
  const { error } = getFieldState(path, formState);
  const set = (on: boolean) => setValue(path, on ? initialOf(fields) : null, { shouldDirty: true });
  const title = label(field);
  return (
    <Box component="fieldset" sx={isOn ? framed : bare}>
      <Box component="legend" sx={{ px: isOn ? 0.5 : 0 }}>
        {field.isRequired ? (
          <Typography component="span">{title}</Typography>
        ) : (
          <FormControlLabel
            control={<Switch size="small" checked={isOn} onChange={({ target }) => set(target.checked)} />}
            label={title}
          />
        )}
      </Box>
      {field.description ? <FormHelperText sx={{ mt: 0, mb: 1.5 }}>{help(field)}</FormHelperText> : null}
      {error?.message ? <FormHelperText error>{readable(error.message)}</FormHelperText> : null}
      {isOn ? (
        <FieldGrid>
          {fields.map((each) => (
            <Input key={each.name} field={each} source={`${source}.${each.name}`} />
          ))}
        </FieldGrid>
      ) : null}
    </Box>
  );
}

const bare = { border: 0, m: 0, p: 0, minWidth: 0 };
const framed = { border: 1, borderColor: 'divider', borderRadius: 1, m: 0, px: 2, pb: 2, pt: 1, minWidth: 0 };

/** A message of the service without the mark of react-admin around it. */
function readable(message: string): string {
  return message.replace(/^@@react-admin@@"(.*)"$/, '$1');
}
