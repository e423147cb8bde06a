import FilterIcon from '@mui/icons-material/FilterAlt';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import type { Field } from '../schema/shape';
import { FilterForm } from './FilterForm';
import { asPattern, operatorOf, patternText } from './filterText';
import { SearchBox } from './SearchBox';

interface FilterBarProps {
  /** The field in which the box searches as one types. */
  search: string;
  fields: readonly Field[];
}

type Filters = Record<string, string>;

/** The filters of a list: a search in names, and conditions on any field, which are arguments of the query language. */
export function FilterBar({ search, fields }: FilterBarProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const choiceLabel = useChoiceLabel();
  const { filterValues, setFilters } = useListContext();
  const filters = (filterValues ?? {}) as Filters;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const without = (key: string) => Object.fromEntries(Object.entries(filters).filter(([each]) => each !== key));
  const set = (key: string, value: string) => {
    setAnchor(null);
    setFilters(value === '' ? without(key) : { ...filters, [key]: value });
  };
  const searched = patternText(filters[search] ?? '');
  return (
    <Stack direction="row" sx={{ gap: 1, mb: 2, flexWrap: 'wrap', alignItems: 'center' }}>
      <SearchBox
        label={translate('filter.search', { field: label(search) })}
        value={searched}
        onSearch={(text) => set(search, text === '' ? '' : asPattern(text))}
      />
      <Button
        startIcon={<FilterIcon />}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        aria-haspopup="dialog"
      >
        {translate('ra.action.add_filter')}
      </Button>
      {Object.entries(filters)
        .filter(([key]) => key !== search || searched === '')
        .map(([key, value]) => (
          <Chip key={key} label={wordsOf(key, value)} onDelete={() => set(key, '')} />
        ))}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': translate('ra.action.add_filter') } }}
      >
        <FilterForm fields={fields} onFilter={set} />
      </Popover>
    </Stack>
  );

  function wordsOf(key: string, value: string): string {
    if (key === 'query') return `${translate('filter.query')}: ${value}`;
    const { operator, operand } = operatorOf(value);
    const field = fields.find(({ name }) => name === key);
    const operandText = field?.shape.kind === 'choice' ? choiceLabel(operand, field.texts) : operand;
    return `${label(field ?? key)} ${translate(`filter.operator.${operator}`)} ${operandText}`;
  }
}
