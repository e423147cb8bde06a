import Box from '@mui/material/Box';
import {
  maxLength,
  maxValue,
  minLength,
  minValue,
  NullableBooleanInput,
  NumberInput,
  required,
  SelectInput,
  TextInput,
  useRecordContext,
  useResourceContext,
  type Validator,
} from 'react-admin';
import { useDocument } from '../schema/document';
import { recordNameOf } from '../schema/shape';
import { DateTimeInput } from './DateTimeInput';
import { FieldGrid } from './FieldGrid';
import { FreeInput } from './FreeInput';
import { type ExtDef, useExtDefs } from './useExtDefs';

interface ExtInputProps {
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/**
 * The extension fields of a record: an input for each that the org has defined for its kind. They are JSON where none is
 * defined, and where a record has others from before.
 */
export function ExtInput(props: ExtInputProps) {
  const document = useDocument();
  const resource = useResourceContext();
  const defs = useExtDefs(document && resource ? recordNameOf(document, resource) : undefined);
  const stored = Object.keys(useRecordContext()?.[props.source] ?? {});
  if (defs === undefined) return null;
  const isDefined = stored.every((name) => defs.some(({ def }) => def.field === name));
  if (defs.length === 0 || !isDefined) return <FreeInput {...props} />;
  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, m: 0, px: 2, pb: 2, minWidth: 0 }}
    >
      <Box component="legend" sx={{ px: 0.5, mb: 0.5 }}>
        {props.label}
      </Box>
      <FieldGrid>
        {defs.map((each) => (
          <OwnInput key={each.def._id} {...each} source={`${props.source}.${each.def.field}`} />
        ))}
      </FieldGrid>
    </Box>
  );
}

function OwnInput({ def, values, source }: ExtDef & { source: string }) {
  const { field, type, min, max } = def;
  const props = { source, label: field, helperText: false as const, fullWidth: true };
  const needed = def.required ? [required()] : [];
  switch (type) {
    case 'integer':
    case 'number': {
      const bounds = [...(min === undefined ? [] : [minValue(min)]), ...(max === undefined ? [] : [maxValue(max)])];
      return <NumberInput {...props} step={type === 'integer' ? 1 : 'any'} validate={[...needed, ...bounds]} />;
    }
    case 'boolean':
      return <NullableBooleanInput {...props} margin="none" validate={needed} />;
    case 'date':
      return <DateTimeInput {...props} validate={needed} />;
    case 'enum':
      return (
        <SelectInput
          {...props}
          margin="none"
          choices={values.map((id) => ({ id, name: id }))}
          translateChoice={false}
          validate={needed}
        />
      );
    case 'string': {
      const lengths = [...(min === undefined ? [] : [minLength(min)]), ...(max === undefined ? [] : [maxLength(max)])];
      return <TextInput {...props} autoComplete="off" validate={[...needed, ...lengths]} />;
    }
    default:
      return type satisfies never;
  }
}
