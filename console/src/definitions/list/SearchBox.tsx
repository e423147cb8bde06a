import SearchIcon from '@mui/icons-material/Search';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useEffect, useRef, useState } from 'react';

/** The pause in typing after which the list is requested, in milliseconds. */
const pauseMs = 250;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch(text: string): void;
}

/** A field to search in a list as one types. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const requested = useRef(value);
  const timer = useRef<number>(undefined);
  useEffect(() => {
    // A value other than the requested one comes from the address: the back button, or a removed filter.
    if (value !== requested.current) setText(value);
    requested.current = value;
  }, [value]);
  const type = (next: string) => {
    setText(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      requested.current = next;
      onSearch(next);
    }, pauseMs);
  };
  return (
    <TextField
      type="search"
      label={label}
      value={text}
      onChange={({ target }) => type(target.value)}
      fullWidth={false}
      sx={{ m: 0, width: { xs: '100%', sm: 280 } }}
      slotProps={{
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
