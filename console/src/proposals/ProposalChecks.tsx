import Alert from '@mui/material/Alert';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { faultText } from '../api/faultText';
import { usePreview } from '../rules/page/usePreview';
import { FaultList } from '../rules/parts/FaultList';
import { may } from '../session/session';
import type { OneProposal } from './proposalApi';

/** Most faults that the page lists. */
const shownMax = 20;

/** What the service says of the proposed files now: the checks of an approval, and the outcome of the tests. */
export function ProposalChecks({ files }: { files: OneProposal['files'] }) {
  const translate = useTranslate();
  const sent = useMemo(() => files.map(({ path, text }) => ({ path, text })), [files]);
  const { data, error } = usePreview(sent);
  if (!may('rules:check')) return null;
  const tests = data?.rules.flatMap((rule) => rule.tests) ?? [];
  const passed = tests.filter(({ differences }) => differences.length === 0).length;
  return (
    <div role="status">
      {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
      {data?.errors.length === 0 ? (
        <Alert severity="success">
          {translate('proposals.fine')} {translate('rules.tests.passed', { passed, total: tests.length })}
        </Alert>
      ) : null}
      {data && data.errors.length > 0 ? (
        <Alert severity="error">
          <FaultList faults={data.errors.slice(0, shownMax)} />
        </Alert>
      ) : null}
      {data && data.warnings.length > 0 ? (
        <Alert severity="warning" sx={{ mt: 1 }}>
          <FaultList faults={data.warnings.slice(0, shownMax)} />
        </Alert>
      ) : null}
    </div>
  );
}
