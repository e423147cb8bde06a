import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDataProvider, useEditContext, useTranslate, useUpdate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import type { ConsoleRecord } from '../../api/dataProvider';
import { faultText } from '../../api/faultText';
import type { Field } from '../schema/shape';
import { ConflictTable } from './ConflictTable';
import { conflictsOf, resolved, type Side } from './conflicts';

interface ConflictDialogProps {
  /** The path of the collection. */
  resource: string;
  /** The fields of the form. */
  fields: readonly Field[];
  /** The dialog ends: what was typed stays in the form, unless the user has chosen to start again. */
  onClose(): void;
  onSaved(): void;
}

/**
 * Shows what somebody else stored since the form was opened (412), beside what was typed. The user chooses for each
 * field and saves, goes back to the form, or starts again from what is stored.
 */
export function ConflictDialog({ resource, fields, onClose, onSaved }: ConflictDialogProps) {
  const translate = useTranslate();
  const { record, refetch } = useEditContext();
  const form = useFormContext();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const [update, { isPending, error }] = useUpdate<ConsoleRecord>();
  const { stored, readAgain } = useStored(resource, String(record?.id));
  if (!stored) return null;
  const opened: Record<string, unknown> = record ?? {};
  const typed: Record<string, unknown> = form.getValues();
  const conflicts = conflictsOf(fields, { opened, stored, typed });
  // It expects the version that is shown here, so nobody else's change is lost unseen.
  const save = () =>
    update(
      resource,
      { id: stored.id, data: { ...stored, ...resolved(conflicts, chosen) }, previousData: stored },
      { onSuccess: onSaved, onError: readAgain },
    );
  const startAgain = async () => {
    await refetch();
    form.reset(stored);
    onClose();
  };
  return (
    <Dialog open fullWidth maxWidth="md" aria-labelledby="conflict-title" onClose={onClose}>
      <DialogTitle id="conflict-title">{translate('definitions.conflict.title')}</DialogTitle>
      <DialogContent>
        <Typography sx={{ mb: 2 }}>{translate('definitions.conflict.text')}</Typography>
        {error ? (
          <Alert severity="error" sx={{ mb: 2 }}>
            {faultText(error, translate)}
          </Alert>
        ) : null}
        <ConflictTable
          conflicts={conflicts}
          chosen={chosen}
          onChoose={(name, side) => setChosen({ ...chosen, [name]: side })}
        />
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        <Button onClick={startAgain}>{translate('definitions.conflict.again')}</Button>
        <Button onClick={onClose}>{translate('definitions.conflict.back')}</Button>
        <Button onClick={() => void save()} variant="contained" loading={isPending}>
          {translate('definitions.conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The record as it is stored now. */
function useStored(resource: string, id: string) {
  const dataProvider = useDataProvider();
  const [stored, setStored] = useState<ConsoleRecord>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times >= 0) void dataProvider.getOne<ConsoleRecord>(resource, { id }).then(({ data }) => setStored(data));
  }, [dataProvider, resource, id, times]);
  return { stored, readAgain: () => setTimes((before) => before + 1) };
}
