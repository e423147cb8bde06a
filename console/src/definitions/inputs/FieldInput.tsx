import {
  AutocompleteArrayInput,
  BooleanInput,
  maxLength,
  maxValue,
  minValue,
  NumberInput,
  PasswordInput,
  required,
  SelectArrayInput,
  SelectInput,
  TextInput,
} from 'react-admin';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { useHelp } from '../../i18n/useHelp';
import type { Field, Shape } from '../schema/shape';
import { AddressInput } from './AddressInput';
import { DateTimeInput } from './DateTimeInput';
import { ExtInput } from './ExtInput';
import { FreeInput } from './FreeInput';
import type { FieldInputProps } from './fieldInputProps';
import { untouchedFlag } from './initialOf';
import { KnownInput, knownChoices } from './KnownInput';
import { ObjectInput } from './ObjectInput';
import { RecordsInput } from './RecordsInput';
import { ReferenceChoice } from './ReferenceChoice';
import { WordsInput } from './WordsInput';

/** The input of a field, as its schema says: each kind of value has one. */
export function FieldInput({ field, source }: FieldInputProps) {
  const label = useFieldLabel();
  const choiceLabel = useChoiceLabel();
  const help = useHelp();
  const { name, shape, isRequired } = field;
  const helpText = help(field);
  const props = {
    source,
    label: label(field),
    helperText: helpText && helpText !== label(field) ? helpText : (false as const),
    validate: [...(isRequired ? [required()] : []), ...boundsOf(shape)],
    fullWidth: true,
  };
  if (knownChoices[name]) return <KnownInput {...props} name={name} />;
  switch (shape.kind) {
    case 'text':
      return shape.isSecret ? (
        <PasswordInput {...props} autoComplete="new-password" />
      ) : (
        <TextInput {...props} multiline={shape.isLong} autoComplete="off" />
      );
    case 'number':
      return <NumberInput {...props} step={shape.isInteger ? 1 : 'any'} />;
    case 'boolean':
      return (
        <BooleanInput
          source={source}
          label={props.label}
          helperText={props.helperText}
          defaultValue={untouchedFlag(field)}
        />
      );
    case 'choice':
      return (
        <SelectInput
          {...props}
          margin="none"
          choices={choicesOf(shape.choices, (value) => choiceLabel(value, field.texts))}
          translateChoice={false}
        />
      );
    case 'moment':
      return <DateTimeInput {...props} />;
    case 'reference':
      return <ReferenceChoice {...props} to={shape.to} isRequired={isRequired} />;
    case 'day':
      return <TextInput {...props} type="date" slotProps={{ inputLabel: { shrink: true } }} />;
    case 'free':
      if (name === 'address') return <AddressInput {...props} />;
      return source === 'ext' ? <ExtInput {...props} /> : <FreeInput {...props} />;
    case 'object':
      return <ObjectInput field={field} fields={shape.fields} source={source} Input={FieldInput} />;
    case 'list':
      return <ListInput {...props} field={field} element={shape.element} />;
    default:
      return shape satisfies never;
  }
}

interface ListInputProps {
  source: string;
  label: string;
  helperText: string | false;
  field: Field;
  element: Shape;
}

function ListInput({ field, element, ...props }: ListInputProps) {
  const choiceLabel = useChoiceLabel();
  if (element.kind === 'object') {
    return <RecordsInput field={field} fields={element.fields} source={props.source} Input={FieldInput} />;
  }
  if (element.kind !== 'choice') return <WordsInput {...props} />;
  const choices = choicesOf(element.choices, (value) => choiceLabel(value, field.texts));
  const validate = field.isRequired ? required() : [];
  return choices.length > 8 ? (
    <AutocompleteArrayInput {...props} choices={choices} validate={validate} translateChoice={false} fullWidth />
  ) : (
    <SelectArrayInput {...props} choices={choices} validate={validate} translateChoice={false} fullWidth />
  );
}

const choicesOf = (values: readonly string[], label: (value: string) => string) =>
  values.map((id) => ({ id, name: label(id) }));

function boundsOf(shape: Shape) {
  if (shape.kind === 'text') return shape.lengthMax === undefined ? [] : [maxLength(shape.lengthMax)];
  if (shape.kind !== 'number') return [];
  const { min, max } = shape;
  return [...(min === undefined ? [] : [minValue(min)]), ...(max === undefined ? [] : [maxValue(max)])];
}
