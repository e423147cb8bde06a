import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { PageHeading } from '../../app/PageHeading';
import { may } from '../../session/session';
import type { StoredFile } from '../api/ruleApi';
import { type DraftStart, useRuleDraft } from '../draft/useRuleDraft';
import { StatusChip } from '../parts/StatusChip';
import { useTables } from '../table/useTables';
import { ChecksPanel } from './ChecksPanel';
import { PublishDialog } from './PublishDialog';
import { RuleViews } from './RuleViews';
import { SimulateDialog } from './SimulateDialog';
import { TestsPanel } from './TestsPanel';
import { TryDialog } from './TryDialog';
import { usePreview } from './usePreview';
import { WordsPanel } from './WordsPanel';

interface RuleEditorProps {
  program: string;
  /** The key of the rule. */
  name: string;
  /** Its file; undefined for a new one. */
  stored: StoredFile | undefined;
  start: DraftStart;
}

type DialogName = 'publish' | 'try' | 'simulate';

/** A rule as a form and as JSON, beside its words, the checks of the service and its tests, which stay in step. */
export function RuleEditor({ program, name, stored, start }: RuleEditorProps) {
  const translate = useTranslate();
  const [dialog, setDialog] = useState<DialogName>();
  const [isPublished, setIsPublished] = useState(false);
  const draft = useRuleDraft(start, name);
  const tables = useTables(stored);
  const files = useMemo(
    () => [{ path: draft.path, text: draft.file }, ...tables.changed.map(({ path, text }) => ({ path, text }))],
    [draft.path, draft.file, tables.changed],
  );
  const preview = usePreview(files);
  const rule = 'rule' in draft.parsed ? draft.parsed.rule : undefined;
  const title = typeof rule?.name === 'string' && rule.name !== '' ? rule.name : name;
  const isChanged = !isPublished && (draft.isChanged || tables.changed.length > 0);
  const close = () => setDialog(undefined);
  const undoAll = () => {
    draft.undoAll();
    tables.undoAll();
  };
  const shared = { program, files, rule, onClose: close };
  return (
    <>
      <PageHeading
        title={title}
        text={`${program} · ${name} · ${draft.path}`}
        actions={<Actions isChanged={isChanged} onUndo={undoAll} onOpen={setDialog} />}
      />
      {isChanged ? <Typography color="textSecondary">{translate('rules.page.kept')}</Typography> : null}
      {typeof rule?.status === 'string' ? <StatusChip status={rule.status} /> : null}
      <Box sx={twoColumns}>
        <RuleViews draft={draft} tables={tables} preview={preview.data} isReadOnly={!may('rules:check')} />
        <Stack sx={{ gap: 2, minWidth: 0 }} component="aside" aria-label={translate('rules.page.aside')}>
          <WordsPanel preview={preview.data} name={name} program={program} />
          <ChecksPanel preview={preview} draft={draft} />
          <TestsPanel preview={preview.data} name={name} isPending={preview.isFetching} />
        </Stack>
      </Box>
      {dialog === 'publish' ? (
        <PublishDialog
          {...shared}
          onPublished={() => {
            setIsPublished(true);
            draft.forget();
          }}
          onReadAgain={() => {
            tables.forgetAdded();
            setIsPublished(false);
          }}
          draft={draft}
          tables={tables}
          stored={stored}
          preview={preview.data}
          name={name}
        />
      ) : null}
      {dialog === 'try' ? <TryDialog {...shared} name={name} /> : null}
      {dialog === 'simulate' ? <SimulateDialog {...shared} /> : null}
    </>
  );
}

const twoColumns = {
  display: 'grid',
  gap: 2,
  mt: 1,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
  alignItems: 'start',
};

interface ActionsProps {
  isChanged: boolean;
  onUndo(): void;
  onOpen(dialog: DialogName): void;
}

function Actions({ isChanged, onUndo, onOpen }: ActionsProps) {
  const translate = useTranslate();
  return (
    <>
      {isChanged ? <Button onClick={onUndo}>{translate('rules.page.undo')}</Button> : null}
      {may('rules:simulate') ? (
        <>
          <Button variant="outlined" onClick={() => onOpen('try')}>
            {translate('rules.try.open')}
          </Button>
          <Button variant="outlined" onClick={() => onOpen('simulate')}>
            {translate('rules.simulate.open')}
          </Button>
        </>
      ) : null}
      {may('rules:publish') ? (
        <Button variant="contained" disabled={!isChanged} onClick={() => onOpen('publish')}>
          {translate('rules.publish.open')}
        </Button>
      ) : null}
    </>
  );
}
