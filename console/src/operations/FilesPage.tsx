import Stack from '@mui/material/Stack';
import { may } from '../session/session';
import { ExportForm } from './ExportForm';
import { ImportForm } from './ImportForm';
import { Imports } from './Imports';

/** Imports with their progress and the rows that failed, and exports. */
export default function FilesPage() {
  return (
    <Stack sx={{ gap: 2 }}>
      {may('imports:create') ? <ImportForm /> : null}
      <Imports />
      <ExportForm />
    </Stack>
  );
}
