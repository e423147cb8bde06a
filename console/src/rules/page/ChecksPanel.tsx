import Alert from '@mui/material/Alert';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import { may } from '../../session/session';
import type { Preview } from '../api/ruleApi';
import type { RuleDraft } from '../draft/useRuleDraft';
import { FaultList } from '../parts/FaultList';
import { Panel } from '../parts/Panel';

/** Most faults that the page lists. */
const shownMax = 20;

/** What the service finds in the rule as it is now: faults, and what is doubtful. */
export function ChecksPanel({ preview, draft }: { preview: UseQueryResult<Preview>; draft: RuleDraft }) {
  const translate = useTranslate();
  const { data, error, isFetching } = preview;
  if (!may('rules:check')) return null;
  const others = data?.errors.filter(({ file }) => file !== draft.path).length ?? 0;
  return (
    <Panel
      name="checks"
      note={isFetching ? <CircularProgress size={16} aria-label={translate('rules.checks.running')} /> : null}
    >
      <div role="status">
        {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
        {data?.errors.length === 0 ? <Alert severity="success">{translate('rules.checks.fine')}</Alert> : null}
        {data && data.errors.length > 0 ? (
          <Alert severity="error" sx={{ mb: 1 }}>
            <FaultList faults={data.errors.slice(0, shownMax)} />
            {others > 0 ? <Typography variant="body2">{translate('rules.checks.others')}</Typography> : null}
          </Alert>
        ) : null}
        {data && data.warnings.length > 0 ? (
          <Alert severity="warning" sx={{ mt: 1 }}>
            <FaultList faults={data.warnings.slice(0, shownMax)} />
          </Alert>
        ) : null}
      </div>
    </Panel>
  );
}
