import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, useEditContext, useNotify, useTranslate, useUpdate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { changesOf } from '../../api/changes';
import type { ConsoleRecord } from '../../api/dataProvider';
import { faultText } from '../../api/faultText';
import { Changes } from '../Changes';
import type { DefinitionName } from '../definitionNames';
import type { Field } from '../schema/shape';

interface ConflictDialogProps {
  name: DefinitionName;
  /** The fields of the form. */
  fields: readonly Field[];
  onResolved(): void;
}

/**
 * Shows what somebody else stored since the form was opened (412), beside what it holds. The user keeps their own
 * values and saves them over the others, or takes what is stored.
 */
export function ConflictDialog({ name, fields, onResolved }: ConflictDialogProps) {
  const translate = useTranslate();
  const { record, refetch } = useEditContext();
  const form = useFormContext();
  const notify = useNotify();
  const [update, { isPending }] = useUpdate<ConsoleRecord>();
  const stored = useStored(name, String(record?.id));
  if (!stored) return null;
  const values: Record<string, unknown> = form.getValues();
  const own = Object.fromEntries(fields.map(({ name: field }) => [field, values[field]]));
  const differing = Object.keys(changesOf(stored, { ...stored, ...own }));
  const changes = differing.map((field) => ({ name: field, before: stored[field], after: own[field] }));
  // It expects the version that is shown here, so nobody else's change is lost unseen.
  const saveMine = () =>
    update(
      name,
      { id: stored.id, data: { ...stored, ...own }, previousData: stored },
      {
        onSuccess: () => notify('ra.notification.updated', { type: 'success', messageArgs: { smart_count: 1 } }),
        onError: (error) => notify(faultText(error, translate), { type: 'error' }),
        onSettled: onResolved,
      },
    );
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
        <Button onClick={() => void saveMine()} variant="contained" loading={isPending}>
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
