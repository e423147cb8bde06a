import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { isProposal } from '../proposals/isProposal';
import { useRefreshRules } from '../rules/api/ruleApi';
import { DateTimeField } from '../rules/parts/DateTimeField';
import { may } from '../session/session';
import { useZone } from '../time/ZoneContext';
import { fromInputText } from '../time/zones';
import type { Version } from './ruleSetApi';

type Verb = 'rollback' | 'schedule' | 'withdraw';

interface VersionActionsProps {
  version: Pick<Version, 'version' | 'from' | 'programs' | 'withdrawnAt' | 'adoptedAs' | 'failure'>;
  /** The number of the version in force. */
  inForce: number | undefined;
}

/** What can be done with a version: take its rules again now or at an instant, or withdraw it while it waits. */
export function VersionActions({ version, inForce }: VersionActionsProps) {
  const translate = useTranslate();
  const [openVerb, setOpenVerb] = useState<Verb>();
  const { from, programs, withdrawnAt, adoptedAs, failure } = version;
  const isScheduled = from !== undefined && programs !== undefined;
  const waits = isScheduled && !withdrawnAt && !adoptedAs && !failure;
  if (!may('cache:refresh') || version.version === inForce) return null;
  const verbs: Verb[] = waits ? ['withdraw'] : isScheduled ? [] : ['rollback', 'schedule'];
  return (
    <Stack direction="row" sx={{ gap: { sm: 1 }, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
      {verbs.map((verb) => (
        <Button
          key={verb}
          size="small"
          sx={{ whiteSpace: 'nowrap' }}
          aria-label={translate(`rulesets.${verb}.label`, { version: version.version })}
          onClick={() => setOpenVerb(verb)}
        >
          {translate(`rulesets.${verb}.open`)}
        </Button>
      ))}
      {openVerb ? (
        <VersionDialog verb={openVerb} version={version.version} onClose={() => setOpenVerb(undefined)} />
      ) : null}
    </Stack>
  );
}

interface VersionDialogProps {
  verb: Verb;
  version: number;
  onClose(): void;
}

function VersionDialog({ verb, version, onClose }: VersionDialogProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefreshRules();
  const zone = useZone();
  const [text, setText] = useState('');
  const from = fromInputText(text, zone);
  const doing = useMutation({
    mutationFn: () => send(verb, version, from ?? ''),
    onSuccess: async (done) => {
      await refresh();
      const doneKey = isProposal(done) ? 'proposals.ask.done' : `rulesets.${verb}.done`;
      notify(translate(doneKey, { version: done.version }), { type: 'success' });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>{translate(`rulesets.${verb}.title`, { version })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{translate(`rulesets.${verb}.text`)}</Typography>
        {verb === 'schedule' ? (
          <DateTimeField label={translate('rules.publish.from')} value={text} onChange={setText} />
        ) : null}
        {doing.error ? <Alert severity="error">{faultText(doing.error, translate)}</Alert> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          disabled={verb === 'schedule' && from === undefined}
          loading={doing.isPending}
          onClick={() => doing.mutate()}
        >
          {translate(`rulesets.${verb}.open`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function send(verb: Verb, version: number, from: string): Promise<{ version?: number }> {
  const params = { path: { version } };
  if (verb === 'rollback') return result(client.POST('/api/v1/rulesets/{version}/rollback', { params }));
  if (verb === 'withdraw') return result(client.POST('/api/v1/rulesets/{version}/withdraw', { params }));
  return result(client.POST('/api/v1/rulesets/schedule', { body: { from, version } }));
}
