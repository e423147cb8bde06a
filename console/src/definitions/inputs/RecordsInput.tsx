import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import type { ComponentType } from 'react';
import { ArrayInput, required, SimpleFormIterator, useSimpleFormIterator, useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { useHelp } from '../../i18n/useHelp';
import type { Field } from '../schema/shape';
import { FieldGrid } from './FieldGrid';
import type { FieldInputProps } from './fieldInputProps';
import { initialOf } from './initialOf';

interface RecordsInputProps {
  field: Field;
  fields: readonly Field[];
  source: string;
  /** The input of each field. */
  Input: ComponentType<FieldInputProps>;
}

/** The inputs of a list of objects, which can be added, removed and moved. */
export function RecordsInput({ field, fields, source, Input }: RecordsInputProps) {
  const itemsMax = field.shape.kind === 'list' ? field.shape.itemsMax : undefined;
  const label = useFieldLabel();
  const help = useHelp();
  return (
    <>
      <ArrayInput source={source} label={label(field)} validate={field.isRequired ? required() : []} helperText={false}>
        <SimpleFormIterator
          disableClear
          fullWidth
          getItemDefaults={() => initialOf(fields)}
          addButton={<AddButton itemsMax={itemsMax} />}
        >
          <FieldGrid>
            {fields.map((each) => (
              <Input key={each.name} field={each} source={each.name} />
            ))}
          </FieldGrid>
        </SimpleFormIterator>
      </ArrayInput>
      {field.description ? <FormHelperText>{help(field)}</FormHelperText> : null}
    </>
  );
}

/** Adds an element at the end, as long as the list may have more. The iterator gives its buttons nothing to do. */
function AddButton({ itemsMax = Number.POSITIVE_INFINITY }: { itemsMax: number | undefined }) {
  const translate = useTranslate();
  const { add, total } = useSimpleFormIterator();
  return (
    <Button startIcon={<AddIcon />} disabled={total >= itemsMax} onClick={() => add()}>
      {translate('ra.action.add')}
    </Button>
  );
}
