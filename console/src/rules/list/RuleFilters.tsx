import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import type { ListedRule } from '../api/ruleApi';

/** The filters of the list of rules, in the address. */
export function RuleFilters({ rules, found }: { rules: readonly ListedRule[]; found: number }) {
  const translate = useTranslate();
  const locale = useLocale();
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) => {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('page');
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  const chooser = (name: 'program' | 'status') => (
    <TextField
      select
      label={translate(`rules.fields.${name}`)}
      value={search.get(name) ?? ''}
      onChange={(event) => set(name, event.target.value)}
      sx={{ flex: '0 1 160px', width: 'auto' }}
    >
      <MenuItem value="">{translate('rules.list.all')}</MenuItem>
      {[...new Set(rules.map((rule) => rule[name]))].sort().map((each) => (
        <MenuItem key={each} value={each}>
          {name === 'status' ? translate(`rules.status.${each}`, { _: each }) : each}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center', mb: 2 }}>
      <TextField
        label={translate('rules.list.search')}
        type="search"
        value={search.get('search') ?? ''}
        onChange={(event) => set('search', event.target.value)}
        sx={{ flex: '1 1 240px', width: 'auto' }}
      />
      {chooser('program')}
      {chooser('status')}
      <Typography color="textSecondary" role="status">
        {translate('rules.list.count', { smart_count: found, count: found.toLocaleString(locale) })}
      </Typography>
    </Stack>
  );
}
