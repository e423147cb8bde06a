import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { type Preview, useRuleOverview } from '../api/ruleApi';
import { Panel } from '../parts/Panel';

interface WordsPanelProps {
  preview: Preview | undefined;
  /** The key of the rule. */
  name: string;
  program: string;
}

/** The rule in words, as the service phrases it. Users who may not check rules see the rule in force. */
export function WordsPanel({ preview, name, program }: WordsPanelProps) {
  const translate = useTranslate();
  const { data: overview } = useRuleOverview();
  const shown = preview?.rules.find((rule) => rule.key === name || rule.table === name) ?? onlyNew(preview);
  const rows = preview?.rules.filter(({ table }) => table !== undefined && table === name).length ?? 0;
  const inForce = overview?.rules.find((rule) => rule.key === name && rule.program === program);
  const sentence = shown?.sentence ?? (preview ? undefined : inForce?.sentence);
  return (
    <Panel name="words">
      {sentence === undefined ? (
        <Typography color="textSecondary">{translate('rules.words.none')}</Typography>
      ) : (
        <Typography sx={{ overflowWrap: 'anywhere' }} data-testid="sentence">
          {sentence}
        </Typography>
      )}
      {rows > 1 ? (
        <Typography color="textSecondary">{translate('rules.words.rows', { smart_count: rows })}</Typography>
      ) : null}
      {shown ? <Lines lines={shown.words.slice(2)} /> : null}
    </Panel>
  );
}

/** The only rule of a file, while its key is being changed. */
function onlyNew(preview: Preview | undefined) {
  return preview?.rules.length === 1 ? preview.rules[0] : undefined;
}

/** Lines of words: headings, and below each its parts. */
function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <Box sx={{ mt: 1, fontSize: '0.875rem', overflowWrap: 'anywhere' }}>
      {lines.map((line, index) => {
        const depth = /^ */.exec(line)?.[0].length ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids and are shown as they come
          <Box key={index} sx={{ pl: depth, fontWeight: depth === 0 ? 600 : 400, mt: depth === 0 ? 0.5 : 0 }}>
            {line.trim().replace(/^- /, depth > 0 ? '• ' : '')}
          </Box>
        );
      })}
    </Box>
  );
}
