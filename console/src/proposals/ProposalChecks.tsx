import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { usePreview } from '../rules/page/usePreview';
import { Findings } from '../rules/parts/Findings';
import { may } from '../session/session';
import type { OneProposal } from './proposalApi';

/** What the service says of the proposed files now: the checks of an approval, and the outcome of the tests. */
export function ProposalChecks({ files }: { files: OneProposal['files'] }) {
  const translate = useTranslate();
  const sent = useMemo(() => files.map(({ path, text }) => ({ path, text })), [files]);
  const { data, error } = usePreview(sent);
  if (!may('rules:check')) return null;
  const tests = data?.rules.flatMap((rule) => rule.tests) ?? [];
  const passed = tests.filter(({ differences }) => differences.length === 0).length;
  const outcome = translate('rules.tests.passed', { passed, total: tests.length });
  return <Findings data={data} error={error} fine={`${translate('proposals.fine')} ${outcome}`} />;
}
