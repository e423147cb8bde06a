import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { may } from '../../session/session';
import type { Preview } from '../api/ruleApi';
import type { RuleDraft } from '../draft/useRuleDraft';
import { Findings } from '../parts/Findings';
import { Panel } from '../parts/Panel';

interface ChecksPanelProps {
  preview: UseQueryResult<Preview>;
  draft: RuleDraft;
  /** Nothing of a new rule is written yet, so what it lacks is no fault. */
  isCalm: boolean;
}

/** What the service finds in the rule as it is now: faults, and what is doubtful. */
export function ChecksPanel({ preview, draft, isCalm }: ChecksPanelProps) {
  const translate = useTranslate();
  const { data, error, isFetching } = preview;
  if (!may('rules:check')) return null;
  const isOfOthers = data?.errors.some(({ file }) => file !== draft.path);
  return (
    <Panel
      name="checks"
      note={isFetching ? <CircularProgress size={16} aria-label={translate('rules.checks.running')} /> : null}
    >
      {isCalm ? (
        <Typography color="textSecondary">{translate('rules.checks.calm')}</Typography>
      ) : (
        <Findings
          data={data}
          error={error}
          fine={translate('rules.checks.fine')}
          below={isOfOthers ? <Typography variant="body2">{translate('rules.checks.others')}</Typography> : null}
        />
      )}
    </Panel>
  );
}
