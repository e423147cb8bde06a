import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { isProposal } from '../../proposals/isProposal';
import { ProposedAlert } from '../../proposals/ProposedAlert';
import { reasonIn } from '../../proposals/ReasonField';
import { may } from '../../session/session';
import { useZone } from '../../time/ZoneContext';
import { fromInputText } from '../../time/zones';
import { type EditedFile, readRuleFile, type StoredFile, useRefreshRules } from '../api/ruleApi';
import { DateTimeField } from '../parts/DateTimeField';

interface ScheduleFilesProps {
  files: readonly EditedFile[];
  stored: StoredFile | undefined;
  isDisabled: boolean;
  /** A second person approves it, who reads the reason. */
  needsApproval: boolean;
  reason: string;
}

/** Puts changed files into force at an instant, with all other files of their program. */
export function ScheduleFiles({ files, stored, isDisabled, needsApproval, reason }: ScheduleFilesProps) {
  const translate = useTranslate();
  const zone = useZone();
  const refresh = useRefreshRules();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const from = fromInputText(text, zone);
  const scheduling = useMutation({
    mutationFn: async (at: string) => {
      const others = await otherFiles(files, stored);
      const body = { from: at, files: [...others, ...files], ...reasonIn(reason) };
      return result(client.POST('/api/v1/rulesets/schedule', { body }));
    },
    onSuccess: () => refresh(),
  });
  if (!may('cache:refresh') || !stored) return null;
  if (!isOpen) {
    return (
      <Button disabled={isDisabled} onClick={() => setIsOpen(true)}>
        {translate('rules.publish.later')}
      </Button>
    );
  }
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      {scheduling.error ? <Alert severity="error">{faultText(scheduling.error, translate)}</Alert> : null}
      {isProposal(scheduling.data) ? (
        <ProposedAlert proposal={scheduling.data} />
      ) : scheduling.data ? (
        <Alert severity="success">{translate('rules.publish.scheduled', { version: scheduling.data.version })}</Alert>
      ) : (
        <>
          <DateTimeField label={translate('rules.publish.from')} value={text} onChange={setText} />
          <Button
            variant="outlined"
            disabled={from === undefined || scheduling.isPending}
            onClick={() => (from === undefined ? undefined : scheduling.mutate(from))}
          >
            {translate(needsApproval ? 'proposals.ask.schedule' : 'rules.publish.schedule')}
          </Button>
        </>
      )}
    </Stack>
  );
}

/** The files of the program that were not changed. A schedule takes all of them. */
async function otherFiles(files: readonly EditedFile[], stored: StoredFile | undefined): Promise<EditedFile[]> {
  const changed = new Set(files.map(({ path }) => path));
  const others = (stored?.others ?? []).filter((path) => !changed.has(path));
  const read: EditedFile[] = [];
  for (const path of others) {
    const file = await readRuleFile(path);
    if (file) read.push({ path, text: file.text });
  }
  return read;
}
