import FormHelperText from '@mui/material/FormHelperText';
import type { ComponentType } from 'react';
import { ArrayInput, required, SimpleFormIterator } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import type { Field } from '../schema/shape';
import type { FieldInputProps } from './fieldInputProps';

interface RecordsInputProps {
  field: Field;
  fields: readonly Field[];
  source: string;
  /** The input of each field. */
  Input: ComponentType<FieldInputProps>;
}

/** The inputs of a list of objects, which can be added, removed and moved. */
export function RecordsInput({ field, fields, source, Input }: RecordsInputProps) {
  const label = useFieldLabel();
  return (
    <>
      <ArrayInput
        source={source}
        label={label(field.name)}
        validate={field.isRequired ? required() : []}
        helperText={false}
      >
        <SimpleFormIterator inline disableClear fullWidth>
          {fields.map((each) => (
            <Input key={each.name} field={each} source={each.name} />
          ))}
        </SimpleFormIterator>
      </ArrayInput>
      {field.description ? <FormHelperText>{field.description}</FormHelperText> : null}
    </>
  );
}
