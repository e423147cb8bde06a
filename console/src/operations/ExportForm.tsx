import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { faultText } from '../api/faultText';
import { may } from '../session/session';
import { download } from './download';

const kinds = [
  'members',
  'accrualitems',
  'journal',
  'activityhistories',
  'tierhistories',
  'issuedrewards',
  'products',
  'locations',
  'dailyaggregates',
  'monthlyaggregates',
];
const formats = ['csv', 'ndjson'];

/** The form that exports the records of a collection as a file. */
export function ExportForm() {
  const translate = useTranslate();
  const notify = useNotify();
  const shown = kinds.filter((each) => may(`${each}:read`));
  const [kind, setKind] = useState(shown[0] ?? '');
  const [format, setFormat] = useState('csv');
  const [bom, setBom] = useState(false);
  const isCsv = format === 'csv';
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      download(
        `/api/v1/exports?${new URLSearchParams({ kind, format, ...(isCsv && bom ? { bom: 'true' } : {}) })}`,
        `${kind}.${format}`,
      ),
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Card component="section" aria-labelledby="export-title" sx={{ p: 2 }}>
      <Typography variant="h2" id="export-title" sx={{ mb: 2 }}>
        {translate('operations.files.export')}
      </Typography>
      <Stack component="form" onSubmit={submit} direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <Choice
          label="kind"
          value={kind}
          choices={shown}
          nameOf={(each) => translate(`operations.files.kinds.${each}`)}
          onChange={setKind}
        />
        <Choice
          label="format"
          value={format}
          choices={formats}
          nameOf={(each) => each.toUpperCase()}
          onChange={setFormat}
        />
        {isCsv ? (
          <FormControlLabel
            control={<Checkbox checked={bom} onChange={({ target }) => setBom(target.checked)} />}
            label={translate('operations.files.bom')}
          />
        ) : null}
        <Button type="submit" variant="contained" loading={isPending}>
          {translate('operations.files.save')}
        </Button>
      </Stack>
    </Card>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly string[];
  nameOf(choice: string): string;
  onChange(choice: string): void;
}

function Choice({ label, value, choices, nameOf, onChange }: ChoiceProps) {
  const translate = useTranslate();
  return (
    <TextField
      select
      label={translate(`operations.files.${label}`)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      fullWidth={false}
      sx={{ width: 220 }}
    >
      {choices.map((each) => (
        <MenuItem key={each} value={each}>
          {nameOf(each)}
        </MenuItem>
      ))}
    </TextField>
  );
}
