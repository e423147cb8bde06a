import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { focusHeading } from '../../app/focus/focusHeading';
import { lazyPage } from '../../app/lazyPage';
import { isProposal } from '../../proposals/isProposal';
import { ProposedAlert } from '../../proposals/ProposedAlert';
import { ReasonField, reasonIn } from '../../proposals/ReasonField';
import { type EditedFile, type Preview, type StoredFile, useRefreshRules, useRuleOverview } from '../api/ruleApi';
import type { RuleDraft } from '../draft/useRuleDraft';
import { download } from '../parts/download';
import { RuleChanges } from '../parts/RuleChanges';
import type { Tables } from '../table/useTables';
import { ScheduleFiles } from './ScheduleFiles';

const Differences = lazyPage(() => import('../json/Differences'));

interface PublishDialogProps {
  /** The code of the program, and the key of the rule. */
  program: string;
  name: string;
  files: readonly EditedFile[];
  draft: RuleDraft;
  tables: Tables;
  stored: StoredFile | undefined;
  preview: Preview | undefined;
  /** What was changed is in force; the page may be left. */
  onPublished(): void;
  /** The files have been read again, so changes count from them. */
  onReadAgain(): void;
  onClose(): void;
}

/** Shows what changes, then puts it into force: now, or at an instant. Without a right to write, it gives the files. */
export function PublishDialog(props: PublishDialogProps) {
  const { program, name, files, draft, tables, stored, preview, onPublished, onReadAgain, onClose } = props;
  const translate = useTranslate();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const refresh = useRefreshRules();
  const { data: overview } = useRuleOverview();
  const needsApproval = overview?.needsApproval === true;
  const [reason, setReason] = useState('');
  const doneButton = useRef<HTMLButtonElement>(null);
  const hashes = new Map([[draft.path, draft.hash], ...tables.changed.map(({ path, hash }) => [path, hash] as const)]);
  const publishing = useMutation({
    mutationFn: () => {
      const sent = files.map((file) => ({ ...file, hash: hashes.get(file.path) ?? 'none' }));
      return result(client.POST('/api/v1/rules/publish', { body: { files: sent, ...reasonIn(reason) } }));
    },
    onSuccess: (answer) => (isProposal(answer) ? refresh() : onPublished()),
  });
  // The button that had the focus is gone.
  useEffect(() => {
    if (publishing.isSuccess) doneButton.current?.focus();
  }, [publishing.isSuccess]);
  const isFaulty = (preview?.errors.length ?? 0) > 0;
  const isReadOnly = stored?.isWritable === false;
  const proposal = isProposal(publishing.data) ? publishing.data : undefined;
  const published = proposal ? undefined : publishing.data;
  const texts = needsApproval ? 'proposals.ask' : 'rules.publish';
  const done = async () => {
    onClose();
    await navigate(addressOf(program, name, { file: draft.path, view: search.get('view') ?? 'form' }));
    await refresh();
    onReadAgain();
    focusHeading(); // the button to publish is off now
  };
  return (
    <Dialog open onClose={published ? done : onClose} maxWidth="lg" fullWidth>
      <DialogTitle>{translate(`${texts}.title`)}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {isFaulty ? <Alert severity="error">{translate('rules.publish.faulty')}</Alert> : null}
        {isReadOnly ? <Alert severity="info">{translate('rules.publish.readOnly', { path: draft.path })}</Alert> : null}
        {publishing.error ? <Alert severity="error">{faultText(publishing.error, translate)}</Alert> : null}
        {published ? (
          <Alert severity="success">{translate('rules.publish.done', { version: published.version })}</Alert>
        ) : proposal ? (
          <ProposedAlert proposal={proposal} />
        ) : (
          <>
            <Typography>{translate(`${texts}.text`)}</Typography>
            {isFaulty ? null : <RuleChanges files={files} />}
            <Changes draft={draft} tables={tables} />
            {needsApproval ? <ReasonField value={reason} onChange={setReason} /> : null}
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        {published || proposal ? (
          <Button variant="contained" ref={doneButton} onClick={published ? done : onClose}>
            {translate('rules.publish.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
            {files.map(({ path, text }) => (
              <Button key={path} onClick={() => download(path.split('/').at(-1) ?? path, text)}>
                {translate('rules.publish.download', { name: path.split('/').at(-1) })}
              </Button>
            ))}
            <ScheduleFiles
              files={files}
              stored={stored}
              isDisabled={isFaulty}
              needsApproval={needsApproval}
              reason={reason}
            />
            {isReadOnly ? null : (
              <Button
                variant="contained"
                disabled={isFaulty || publishing.isPending}
                loading={publishing.isPending}
                onClick={() => publishing.mutate()}
              >
                {translate(`${texts}.now`)}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The file of the rule before and after, and the names of the changed tables. */
function Changes({ draft, tables }: Pick<PublishDialogProps, 'draft' | 'tables'>) {
  return (
    <>
      <Differences label={draft.path} before={draft.fileBefore} after={draft.file} />

      {tables.changed.length > 0 ? <Typography>{tables.changed.map(({ path }) => path).join(', ')}</Typography> : null}
    </>
  );
}

function addressOf(program: string, name: string, search: Record<string, string>): string {
  return `/rules/${encodeURIComponent(program)}/${encodeURIComponent(name)}?${new URLSearchParams(search)}`;
}
