import AddIcon from '@mui/icons-material/Add';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useEffect } from 'react';
import { useTranslate } from 'react-admin';
import { Link, useSearchParams } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { Fault } from '../../app/unread/Fault';
import { Nothing } from '../../app/unread/Nothing';
import { WaitingProposals } from '../../proposals/WaitingProposals';
import { may } from '../../session/session';
import { type ListedRule, useRuleOverview, useRuleSetStatus } from '../api/ruleApi';
import { FaultList } from '../parts/FaultList';
import { RulesMenu } from '../parts/RulesMenu';
import { Waiting } from '../parts/Waiting';
import { RuleFilters } from './RuleFilters';
import { RuleTable } from './RuleTable';

/** The page of all rules in force, with filters in the address. */
export function RuleListPage() {
  const translate = useTranslate();
  const [search] = useSearchParams();
  const { data, error } = useRuleOverview();
  const found = (data?.rules ?? []).filter((rule) => isFound(rule, search));
  return (
    <>
      <PageHeading title={translate('menu.rules')} text={translate('rules.list.text')} actions={<NewButton />} />
      <RulesMenu at="rules" />
      <LastFaults />
      <WaitingProposals />
      <Fault error={error} />
      {data ? <RuleFilters rules={data.rules} found={found.length} /> : null}
      {data ? <Found rules={found} isEmpty={data.rules.length === 0} /> : error ? null : <Waiting />}
    </>
  );
}

function Found({ rules, isEmpty }: { rules: readonly ListedRule[]; isEmpty: boolean }) {
  const translate = useTranslate();
  // Most visitors open a rule next: its page is loaded while they look for it.
  useEffect(() => void import('../page/RulePage'), []);
  if (isEmpty)
    return (
      <Alert severity="info">
        <Nothing>{translate('rules.list.begin')}</Nothing>
      </Alert>
    );
  if (rules.length === 0)
    return (
      <Alert severity="info">
        <Nothing>{translate('rules.list.none')}</Nothing>
      </Alert>
    );
  return (
    <Card>
      <RuleTable rules={rules} />
    </Card>
  );
}

function NewButton() {
  const translate = useTranslate();
  if (!may('rules:check')) return null;
  return (
    <Button component={Link} to="/rules/new" variant="contained" startIcon={<AddIcon />}>
      {translate('rules.list.new')}
    </Button>
  );
}

/** The faults of the files that are not in force because of them. */
function LastFaults() {
  const translate = useTranslate();
  const { data } = useRuleSetStatus();
  const faults = data?.errors ?? [];
  if (faults.length === 0) return null;
  return (
    <Alert severity="error" sx={{ mb: 2 }}>
      {translate('rules.list.faults')}
      <FaultList faults={faults.slice(0, 10)} />
    </Alert>
  );
}

function isFound(rule: ListedRule, search: URLSearchParams): boolean {
  const words = (search.get('search') ?? '').toLocaleLowerCase().split(/\s+/);
  const text = `${rule.key} ${rule.name} ${rule.sentence} ${rule.file}`.toLocaleLowerCase();
  const isOf = (name: 'program' | 'status') => !search.get(name) || search.get(name) === rule[name];
  return words.every((word) => text.includes(word)) && isOf('program') && isOf('status');
}
