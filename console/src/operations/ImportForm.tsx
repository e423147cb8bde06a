import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { faultText } from '../api/faultText';
import { FileButton } from '../app/FileButton';
import { upload } from './upload';

const kinds = ['members', 'accrualitems', 'activities', 'products', 'locations', 'coupons'] as const;

/** The form that starts an import: what the rows are, the file, and whether only to check it. */
export function ImportForm() {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const [kind, setKind] = useState<(typeof kinds)[number]>('members');
  const [file, setFile] = useState<File>();
  const [dryRun, setDryRun] = useState(true);
  const [share, setShare] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: (sent: File) => startImport(sent, kind, dryRun, setShare),
    onMutate: () => setShare(0),
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
      <Typography variant="h2" id="import-title" sx={{ mb: 2 }}>
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
      {isPending ? (
        <LinearProgress
          variant="determinate"
          value={100 * share}
          aria-label={translate('operations.files.sending')}
          sx={{ mt: 2 }}
        />
      ) : null}
    </Card>
  );
}

function startImport(file: File, kind: string, dryRun: boolean, onProgress: (share: number) => void) {
  const type = file.name.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/csv';
  const query = new URLSearchParams({ kind, dryRun: String(dryRun) });
  return upload({ path: `/api/v1/imports?${query}`, file, type, onProgress });
}
