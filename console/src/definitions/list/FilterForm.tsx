import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import type { Field, Shape } from '../schema/shape';
import { argumentOf, type Operator } from './filterText';
import { OperandInput } from './OperandInput';

interface FilterFormProps {
  fields: readonly Field[];
  onFilter(key: string, value: string): void;
}

/** The operators that make sense for each kind of field. */
const operatorsOf: Partial<Record<Shape['kind'], readonly Operator[]>> = {
  text: ['contains', 'is', 'isNot'],
  number: ['is', 'isNot', 'above', 'from', 'below', 'upTo'],
  moment: ['from', 'below'],
  list: ['is', 'contains'],
};
const others: readonly Operator[] = ['is', 'isNot'];

/** Fields that no list can be filtered by in a form: objects of many parts; the query takes them. */
const unfit = new Set<Shape['kind']>(['object', 'free']);

/** A form for one filter: a field, an operator and a value, or a filter in the query language. */
export function FilterForm({ fields, onFilter }: FilterFormProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const offered = fields.filter(({ shape, name }) => !unfit.has(shape.kind) && name !== 'org');
  const [name, setName] = useState(offered[0]?.name ?? 'query');
  const [operator, setOperator] = useState<Operator>();
  const [operand, setOperand] = useState('');
  const field = offered.find((each) => each.name === name);
  const choices = field ? (operatorsOf[field.shape.kind] ?? others) : [];
  const chosen = operator && choices.includes(operator) ? operator : choices[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter(name, chosen ? argumentOf(chosen, operand) : operand);
  };
  return (
    <Stack component="form" onSubmit={submit} spacing={1} sx={{ p: 2, width: 320, maxWidth: '90vw' }}>
      <TextField
        select
        label={translate('filter.field')}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          setOperand('');
        }}
      >
        {offered.map((each) => (
          <MenuItem key={each.name} value={each.name}>
            {label(each)}
          </MenuItem>
        ))}
        <MenuItem value="query">{translate('filter.query')}</MenuItem>
      </TextField>
      {chosen ? (
        <TextField
          select
          label={translate('filter.condition')}
          value={chosen}
          onChange={({ target }) => setOperator(choices.find((each) => each === target.value))}
        >
          {choices.map((each) => (
            <MenuItem key={each} value={each}>
              {translate(`filter.operator.${each}`)}
            </MenuItem>
          ))}
        </TextField>
      ) : null}
      <OperandInput shape={field?.shape} texts={field?.texts} value={operand} onChange={setOperand} />
      <Button type="submit" variant="contained" disabled={operand === ''}>
        {translate('filter.apply')}
      </Button>
    </Stack>
  );
}
