import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { may } from '../../session/session';
import { type StoredFile, useRuleSchema } from '../api/ruleApi';
import { type DraftStart, useRuleDraft } from '../draft/useRuleDraft';
import { RuleSentence } from '../sentence/RuleSentence';
import { useTables } from '../table/useTables';
import { ChecksPanel } from './ChecksPanel';
import { PublishDialog } from './PublishDialog';
import { belowHead, type RuleDialog, RuleHead } from './RuleHead';
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

/** A rule as a form and as JSON, beside its words, the checks of the service and its tests, which stay in step. */
export function RuleEditor({ program, name, stored, start }: RuleEditorProps) {
  const translate = useTranslate();
  const [dialog, setDialog] = useState<RuleDialog>();
  const [isPublished, setIsPublished] = useState(false);
  const draft = useRuleDraft(start, name);
  const tables = useTables(stored);
  const files = useMemo(
    () => [{ path: draft.path, text: draft.file }, ...tables.changed.map(({ path, text }) => ({ path, text }))],
    [draft.path, draft.file, tables.changed],
  );
  const preview = usePreview(files);
  const { data: schema } = useRuleSchema();
  const rule = 'rule' in draft.parsed ? draft.parsed.rule : undefined;
  const title = typeof rule?.name === 'string' && rule.name !== '' ? rule.name : name;
  const isChanged = !isPublished && (draft.isChanged || tables.changed.length > 0);
  const close = () => setDialog(undefined);
  const undoAll = () => {
    draft.undoAll();
    tables.undoAll();
  };
  // Nothing is wrong yet with a rule of which nothing is written.
  const isCalm = stored === undefined && !draft.isTouched;
  const shared = { program, files, rule, onClose: close };
  return (
    <>
      <RuleHead
        title={title}
        text={`${program} · ${name} · ${draft.path}`}
        status={typeof rule?.status === 'string' ? rule.status : undefined}
        faults={isCalm ? 0 : (preview.data?.errors.length ?? 0)}
        isChanged={isChanged}
        onUndo={undoAll}
        onOpen={setDialog}
      />
      <Box sx={twoColumns}>
        <Stack sx={{ gap: 2, minWidth: 0 }}>
          {rule && schema ? (
            <RuleSentence rule={rule} schema={schema} isReadOnly={!may('rules:check')} onChange={draft.change} />
          ) : null}
          <RuleViews draft={draft} tables={tables} preview={preview.data} isReadOnly={!may('rules:check')} />
        </Stack>
        <Stack sx={aside} component="aside" aria-label={translate('rules.page.aside')}>
          <WordsPanel preview={preview.data} name={name} program={program} />
          <ChecksPanel preview={preview} draft={draft} isCalm={isCalm} />
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

/** Words, checks and tests stay in sight beside the rule, and scroll by themselves when they are longer than the window. */
const aside = {
  gap: 2,
  minWidth: 0,
  position: { lg: 'sticky' },
  top: { lg: belowHead },
  maxHeight: { lg: `calc(100vh - ${belowHead + 16}px)` },
  overflowY: { lg: 'auto' },
  '& > *': { flexShrink: 0 },
};
