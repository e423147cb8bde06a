import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, useEditContext, useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { changesOf } from '../../api/changes';
import type { ConsoleRecord } from '../../api/dataProvider';
import { Changes } from '../Changes';
import type { DefinitionName } from '../definitionNames';

interface ConflictDialogProps {
  name: DefinitionName;
  onResolved(): void;
}

/**
 * Shows what somebody else stored since the form was opened (412), beside what it holds. The user keeps their own
 * values and saves them over the others, or takes what is stored.
 */
export function ConflictDialog({ name, onResolved }: ConflictDialogProps) {
  const translate = useTranslate();
  const { record, refetch } = useEditContext();
  const form = useFormContext();
  const stored = useStored(name, String(record?.id));
  if (!stored) return null;
  const own: Record<string, unknown> = form.getValues();
  const differing = Object.keys(changesOf(stored, { ...stored, ...own }));
  const ofService = new Set(['updatedAt', 'updatedBy', 'version']);
  const changes = differing
    .filter((field) => !ofService.has(field))
    .map((field) => ({ name: field, before: stored[field], after: own[field] }));
  const keepMine = async () => {
    // The form keeps its values; the next save expects the version that is stored now.
    await refetch();
    form.reset(stored);
    for (const { name: field, after } of changes) form.setValue(field, after ?? null, { shouldDirty: true });
    onResolved();
  };
  const takeTheirs = async () => {
    await refetch();
    form.reset(stored);
    onResolved();
  };
  return (
    <Dialog open fullWidth maxWidth="md" aria-labelledby="conflict-title">
      <DialogTitle id="conflict-title">{translate('definitions.conflict.title')}</DialogTitle>
      <DialogContent>
        <Typography sx={{ mb: 2 }}>{translate('definitions.conflict.text')}</Typography>
        <Changes changes={changes} titles={['definitions.conflict.theirs', 'definitions.conflict.mine']} />
      </DialogContent>
      <DialogActions>
        <Button onClick={takeTheirs}>{translate('definitions.conflict.take')}</Button>
        <Button onClick={keepMine} variant="contained">
          {translate('definitions.conflict.keep')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The record as it is stored now. */
function useStored(name: DefinitionName, id: string): ConsoleRecord | undefined {
  const dataProvider = useDataProvider();
  const [stored, setStored] = useState<ConsoleRecord>();
  useEffect(() => {
    void dataProvider.getOne<ConsoleRecord>(name, { id }).then(({ data }) => setStored(data));
  }, [dataProvider, name, id]);
  return stored;
}
