import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { type FormEvent, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { FileButton } from '../app/FileButton';

const kinds = ['members', 'accrualitems', 'activities', 'products', 'locations', 'coupons'] as const;

/** The form that starts an import: what the rows are, the file, and whether only to check it. */
export function ImportForm() {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const [kind, setKind] = useState<(typeof kinds)[number]>('members');
  const [file, setFile] = useState<File>();
  const [dryRun, setDryRun] = useState(true);
  const { mutate, isPending } = useMutation({
    mutationFn: (sent: File) => startImport(sent, kind, dryRun),
    onSuccess: () => notify('operations.files.started', { type: 'success' }),
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['imports'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) mutate(file);
  };
  return (
    <Card component="section" aria-labelledby="import-title" sx={{ p: 2 }}>
      <Typography variant="h2" id="import-title" gutterBottom>
        {translate('operations.files.import')}
      </Typography>
      <Stack component="form" onSubmit={submit} direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        <TextField
          select
          label={translate('operations.files.kind')}
          value={kind}
          onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'members')}
          fullWidth={false}
          sx={{ width: 220 }}
        >
          {kinds.map((each) => (
            <MenuItem key={each} value={each}>
              {translate(`operations.files.kinds.${each}`)}
            </MenuItem>
          ))}
        </TextField>
        <FileButton accept=".csv,.ndjson,text/csv,application/x-ndjson" onFile={setFile}>
          {file ? file.name : translate('operations.files.choose')}
        </FileButton>
        <FormControlLabel
          control={<Checkbox checked={dryRun} onChange={({ target }) => setDryRun(target.checked)} />}
          label={translate('operations.files.dryRun')}
        />
        <Button type="submit" variant="contained" disabled={!file} loading={isPending}>
          {translate(dryRun ? 'operations.files.check' : 'operations.files.start')}
        </Button>
      </Stack>
    </Card>
  );
}

function startImport(file: File, kind: (typeof kinds)[number], dryRun: boolean) {
  const type = file.name.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/csv';
  return result(
    client.POST('/api/v1/imports', {
      params: { query: { kind, dryRun } },
      headers: { 'Content-Type': type },
      // The file is sent as it is.
      body: file as never,
      bodySerializer: (body: unknown) => body as File,
    }),
  );
}
