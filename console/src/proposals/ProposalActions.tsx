import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { focusHeading } from '../app/focus/focusHeading';
import { useRefreshRules } from '../rules/api/ruleApi';
import { may } from '../session/session';
import { isOwn, type OneProposal } from './proposalApi';

type Verb = 'approve' | 'reject' | 'withdraw';

/** What may be done with a proposal that waits: others approve or reject it, its proposer withdraws it. */
export function ProposalActions({ proposal }: { proposal: OneProposal }) {
  const translate = useTranslate();
  const [openVerb, setOpenVerb] = useState<Verb>();
  if (proposal.status !== 'Pending' || !may('rules:publish')) return null;
  const verbs: Verb[] = isOwn(proposal) ? ['withdraw'] : ['reject', 'approve'];
  return (
    <>
      {verbs.map((verb) => (
        <Button
          key={verb}
          variant={verb === 'approve' ? 'contained' : 'outlined'}
          disabled={verb === 'approve' && proposal.isOutdated === true}
          onClick={() => setOpenVerb(verb)}
        >
          {translate(`proposals.${verb}.open`)}
        </Button>
      ))}
      {openVerb ? <DecisionDialog verb={openVerb} id={proposal._id} onClose={() => setOpenVerb(undefined)} /> : null}
    </>
  );
}

interface DecisionDialogProps {
  verb: Verb;
  /** Of the proposal. */
  id: string;
  onClose(): void;
}

function DecisionDialog({ verb, id, onClose }: DecisionDialogProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefreshRules();
  const [reason, setReason] = useState('');
  const deciding = useMutation({
    mutationFn: () => send(verb, id, reason.trim()),
    onSuccess: async () => {
      notify(translate(`proposals.${verb}.done`), { type: 'success' });
      onClose();
      await refresh();
      // The buttons are gone.
      focusHeading();
    },
  });
  const isNeeded = verb !== 'approve';
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>{translate(`proposals.${verb}.title`)}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{translate(`proposals.${verb}.text`)}</Typography>
        <TextField
          label={translate('proposals.reason')}
          value={reason}
          required={isNeeded}
          multiline
          slotProps={{ htmlInput: { maxLength: 1000 } }}
          onChange={({ target }) => setReason(target.value)}
        />
        {deciding.error ? <Alert severity="error">{faultText(deciding.error, translate)}</Alert> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          disabled={isNeeded && reason.trim() === ''}
          loading={deciding.isPending}
          onClick={() => deciding.mutate()}
        >
          {translate(`proposals.${verb}.now`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function send(verb: Verb, id: string, reason: string) {
  const params = { path: { id } };
  if (verb === 'approve') {
    const body = reason === '' ? {} : { reason };
    return result(client.POST('/api/v1/rules/proposals/{id}/approve', { params, body }));
  }
  return result(client.POST('/api/v1/rules/proposals/{id}/reject', { params, body: { reason } }));
}
