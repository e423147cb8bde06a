import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { useParams, useSearchParams } from 'react-router-dom';
import { MessagePage } from '../../app/MessagePage';
import { PageHeading } from '../../app/PageHeading';
import { Fault } from '../../app/unread/Fault';
import { useRuleFile, useRuleOverview, useRuleSchema } from '../api/ruleApi';
import { ruleTextOf } from '../draft/ruleText';
import { FirstZone } from '../parts/FirstZone';
import { Waiting } from '../parts/Waiting';
import { RuleEditor } from './RuleEditor';

/** The page of a rule in its file. The address may name the file of a rule that is not in force. */
export default function RulePage() {
  const { program = '', key = '' } = useParams();
  const [search] = useSearchParams();
  const overview = useRuleOverview();
  // Asked for here already, so that the form need not wait for it after the file.
  useRuleSchema();
  const listed = overview.data?.rules.find((rule) => rule.program === program && rule.key === key);
  const path = listed?.file ?? search.get('file') ?? undefined;
  return (
    <FirstZone program={program}>
      {path === undefined ? (
        <WithoutFile name={key} error={overview.error} isPending={overview.isPending} />
      ) : (
        <OfFile key={`${path} ${key}`} path={path} program={program} name={key} />
      )}
    </FirstZone>
  );
}

function OfFile({ path, program, name }: { path: string; program: string; name: string }) {
  const translate = useTranslate();
  const { data: file, error, isPending } = useRuleFile(path);
  const text = file ? ruleTextOf(file.text, name) : undefined;
  if (file && text) {
    return (
      <RuleEditor key={file.hash} program={program} name={name} stored={file} start={{ path, hash: file.hash, text }} />
    );
  }
  return (
    <>
      <PageHeading title={name} />
      {isPending ? <Waiting /> : null}
      <Fault error={error} />
      {isPending || error ? null : <Alert severity="warning">{translate('rules.page.noFile', { path })}</Alert>}
    </>
  );
}

function WithoutFile({ name, error, isPending }: { name: string; error: unknown; isPending: boolean }) {
  const _translate = useTranslate();
  if (!isPending && !error) return <MessagePage name="notFound" />;
  return (
    <>
      <PageHeading title={name} />
      {error ? <Fault error={error} /> : <Waiting />}
    </>
  );
}
