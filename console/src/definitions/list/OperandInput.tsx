import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useGetList, useTranslate } from 'react-admin';
import type { FormTexts } from '../../i18n/formTexts';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { useZone } from '../../time/ZoneContext';
import { fromInputText, toInputText } from '../../time/zones';
import { isDefinitionName } from '../definitionNames';
import { definitionViews, titleOf } from '../definitionViews';
import type { Shape } from '../schema/shape';

interface OperandInputProps {
  /** What the field is; absent: a filter in the query language. */
  shape: Shape | undefined;
  texts: FormTexts | undefined;
  value: string;
  onChange(value: string): void;
}

/** The value that a filter compares with, as it fits the field. */
export function OperandInput({ shape, texts, value, onChange }: OperandInputProps) {
  const translate = useTranslate();
  const zone = useZone();
  const choiceLabel = useChoiceLabel();
  const props = { label: translate('filter.value'), value };
  if (!shape) {
    return <TextField {...props} multiline minRows={3} placeholder='{"name":{"$exists":true}}' onChange={changed} />;
  }
  if (shape.kind === 'choice') {
    const choices = shape.choices.map((each) => ({ value: each, label: choiceLabel(each, texts) }));
    return <Choice {...props} choices={choices} onChange={onChange} />;
  }
  if (shape.kind === 'boolean') {
    const choices = ['true', 'false'].map((each) => ({ value: each, label: translate(`ra.boolean.${each}`) }));
    return <Choice {...props} choices={choices} onChange={onChange} />;
  }
  if (shape.kind === 'reference' && isDefinitionName(shape.to)) {
    return <ReferenceChoice {...props} to={shape.to} onChange={onChange} />;
  }
  if (shape.kind === 'moment') {
    const shown = value === '' ? '' : toInputText(value, zone);
    return (
      <TextField
        {...props}
        label={`${props.label} (${zone})`}
        type="datetime-local"
        value={shown}
        onChange={({ target }) => onChange(fromInputText(target.value, zone) ?? '')}
        slotProps={{ inputLabel: { shrink: true } }}
      />
    );
  }
  return <TextField {...props} type={shape.kind === 'number' ? 'number' : 'text'} onChange={changed} />;

  function changed({ target }: { target: { value: string } }): void {
    onChange(target.value);
  }
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  onChange(value: string): void;
}

function Choice({ choices, onChange, ...props }: ChoiceProps) {
  return (
    <TextField {...props} select onChange={({ target }) => onChange(target.value)}>
      {choices.map(({ value, label }) => (
        <MenuItem key={value} value={value}>
          {label}
        </MenuItem>
      ))}
    </TextField>
  );
}

interface ReferenceChoiceProps extends Omit<ChoiceProps, 'choices'> {
  to: Parameters<typeof titleOf>[0];
}

function ReferenceChoice({ to, ...props }: ReferenceChoiceProps) {
  const { order = '_id' } = definitionViews[to];
  const sort = { field: order, order: 'ASC' } as const;
  const { data = [] } = useGetList(to, { pagination: { page: 1, perPage: 1000 }, sort });
  return (
    <Choice {...props} choices={data.map((record) => ({ value: String(record.id), label: titleOf(to, record) }))} />
  );
}
