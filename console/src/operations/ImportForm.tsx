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
import { useServiceMessage } from '../i18n/useServiceMessage';
import { ImportOutcome } from './mapping/ImportOutcome';
import { type ImportKind, importKinds } from './mapping/importFields';
import { MappingEditor } from './mapping/MappingEditor';
import { mappingArguments } from './mapping/mappingDraft';
import { faultsIn } from './mapping/mappingFaults';
import { type FirstRows, readFirstRows } from './mapping/readFirstRows';
import { useFileMapping } from './mapping/useFileMapping';
import { upload } from './upload';

/** A file that was chosen. One that is not CSV names its fields itself, so it has no first rows. */
interface ChosenFile {
  file: File;
  rows?: FirstRows;
}

const isNdjson = ({ name }: File) => /\.(?:ndjson|jsonl)$/i.test(name);

/** The form that starts an import: what the rows are, the file, what its columns are, and whether only to check it. */
export function ImportForm() {
  const translate = useTranslate();
  const text = useServiceMessage();
  const [kind, setKind] = useState<ImportKind>('members');
  const [chosen, setChosen] = useState<ChosenFile>();
  const [dryRun, setDryRun] = useState(true);
  const mapping = useFileMapping(chosen?.rows, kind);
  const isMapped = chosen?.rows && mapping?.isShown ? { rows: chosen.rows, mapping } : undefined;
  const { start, share, isPending, error, begun } = useStart();
  const run = (only: boolean) => {
    const settings = isMapped ? mappingArguments(isMapped.mapping.draft) : [];
    if (chosen) start({ file: chosen.file, kind, dryRun: only, settings, of: isMapped?.mapping.draft });
  };
  const isOfThis = begun?.file === chosen?.file && begun?.kind === kind && begun?.of === isMapped?.mapping.draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(dryRun);
  };
  return (
    <Card component="section" aria-labelledby="import-title" sx={{ p: 2 }}>
      <Typography variant="h2" id="import-title" sx={{ mb: 2 }}>
        {translate('operations.files.import')}
      </Typography>
      <form onSubmit={submit}>
        <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
          <KindChoice kind={kind} onChange={setKind} />
          <ChooseFile name={chosen?.file.name} onChosen={setChosen} />
          <FormControlLabel
            control={<Checkbox checked={dryRun} onChange={({ target }) => setDryRun(target.checked)} />}
            label={translate('operations.files.dryRun')}
          />
          <Button type="submit" variant="contained" disabled={!chosen} loading={isPending}>
            {translate(dryRun ? 'operations.files.check' : 'operations.files.start')}
          </Button>
          {chosen?.rows && mapping && !isMapped ? (
            <Button onClick={() => mapping.change(mapping.draft)}>{translate('operations.mapping.open')}</Button>
          ) : null}
        </Stack>
        {isMapped ? <MappingEditor kind={kind} {...isMapped} faultOf={faultsIn(error, text)} /> : null}
      </form>
      {isPending ? <Sending share={share} /> : null}
      {begun?.id !== undefined && isOfThis ? <ImportOutcome id={begun.id} onImport={() => run(false)} /> : null}
    </Card>
  );
}

function KindChoice({ kind, onChange }: { kind: ImportKind; onChange(kind: ImportKind): void }) {
  const translate = useTranslate();
  return (
    <TextField
      select
      label={translate('operations.files.kind')}
      value={kind}
      onChange={({ target }) => onChange(importKinds.find((each) => each === target.value) ?? 'members')}
      fullWidth={false}
      sx={{ width: 220 }}
    >
      {importKinds.map((each) => (
        <MenuItem key={each} value={each}>
          {translate(`operations.files.kinds.${each}`)}
        </MenuItem>
      ))}
    </TextField>
  );
}

function ChooseFile({ name, onChosen }: { name: string | undefined; onChosen(chosen: ChosenFile): void }) {
  const translate = useTranslate();
  const notify = useNotify();
  const choose = (file: File) => {
    if (isNdjson(file)) onChosen({ file });
    else {
      readFirstRows(file).then(
        (rows) => onChosen({ file, rows }),
        () => notify('operations.mapping.unreadable', { type: 'error' }),
      );
    }
  };
  return (
    <FileButton accept=".csv,.ndjson,text/csv,application/x-ndjson" onFile={choose}>
      {name ?? translate('operations.files.choose')}
    </FileButton>
  );
}

function Sending({ share }: { share: number }) {
  const translate = useTranslate();
  return (
    <LinearProgress
      variant="determinate"
      value={100 * share}
      aria-label={translate('operations.files.sending')}
      sx={{ mt: 2 }}
    />
  );
}

interface Wanted {
  file: File;
  kind: ImportKind;
  dryRun: boolean;
  /** The arguments that say what the columns are. */
  settings: [string, string][];
  /** What the settings were made of, so that an outcome is shown only as long as they are the same. */
  of: unknown;
}

/** Starts imports: how far the file is sent, what the service refused, and the import that it began. */
function useStart() {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const [share, setShare] = useState(0);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async (wanted: Wanted) => ({ ...wanted, id: await startImport(wanted, setShare) }),
    onMutate: () => setShare(0),
    onSuccess: () => notify('operations.files.started', { type: 'success' }),
    onError: (fault) => notify(faultText(fault, translate), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['imports'] }),
  });
  return { start: mutate, share, isPending, error, begun: data };
}

async function startImport({ file, kind, dryRun, settings }: Wanted, onProgress: (share: number) => void) {
  const type = isNdjson(file) ? 'application/x-ndjson' : 'text/csv';
  const query = new URLSearchParams([['kind', kind], ['dryRun', String(dryRun)], ...settings]);
  const answer = await upload({ path: `/api/v1/imports?${query}`, file, type, onProgress });
  const { _id: id } = (answer ?? {}) as { _id?: string };
  return id;
}
