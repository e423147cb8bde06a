import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useDeferredValue } from 'react';
import { client } from '../../api/client';
import { asPattern } from '../../definitions/list/filterText';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';

interface ProductFieldProps {
  sku: string;
  /** What was typed or picked, with the price of a product that was picked. */
  onPick(sku: string, price?: string): void;
}

/** A field for a SKU: the products of the catalogue are offered by SKU as one types, and any other can be typed. */
export function ProductField({ sku, onPick }: ProductFieldProps) {
  const label = useFieldLabel();
  const search = useDeferredValue(sku);
  const { data = [] } = useQuery({
    queryKey: ['products', 'bySku', search],
    queryFn: ({ signal }) => {
      const query = { limit: 10, sort: 'sku', ...(search === '' ? {} : { sku: asPattern(search) }) };
      return result(client.GET('/api/v1/products', { params: { query }, signal }));
    },
    enabled: may('products:read'),
    placeholderData: keepPreviousData,
  });
  return (
    <Autocomplete
      freeSolo
      sx={{ width: 260, maxWidth: '100%' }}
      inputValue={sku}
      options={data}
      filterOptions={(all) => all}
      getOptionKey={(option) => (typeof option === 'string' ? option : option._id)}
      getOptionLabel={(option) => (typeof option === 'string' ? option : option.sku)}
      onInputChange={(_event, typed, reason) => {
        if (reason === 'input' || reason === 'clear') onPick(typed);
      }}
      onChange={(_event, picked) => {
        if (picked === null || typeof picked === 'string') return;
        onPick(picked.sku, picked.price === undefined ? undefined : String(picked.price));
      }}
      renderOption={({ key, ...props }, option) => (
        <li key={key} {...props}>
          {option.sku} · {option.name}
        </li>
      )}
      renderInput={(params) => <TextField {...params} label={label('itemSKU')} />}
    />
  );
}
