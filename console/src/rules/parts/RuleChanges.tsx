import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import type { EditedFile } from '../api/ruleApi';
import { Waiting } from './Waiting';

/** Most rules that a list names. */
const namedMax = 20;

/**
 * All rules of the org that differ once these files are published, including rules of other files, and rules that stay
 * out.
 */
export function RuleChanges({ files }: { files: readonly EditedFile[] }) {
  const translate = useTranslate();
  const { data, error } = useQuery({
    queryKey: ['rules', 'changes', files],
    queryFn: () =>
      result(
        client.POST('/api/v1/rules/changes', { body: { files: files.map(({ path, text }) => ({ path, text })) } }),
      ),
  });
  if (error) return <Alert severity="error">{faultText(error, translate)}</Alert>;
  if (!data) return <Waiting />;
  const { changes, setAside } = data;
  const kinds = ['added', 'changed', 'removed'] as const;
  const isNothing = kinds.every((kind) => changes[kind].length === 0);
  return (
    <section aria-label={translate('rules.changes.title')}>
      <Typography variant="h3" component="h2">
        {translate('rules.changes.title')}
      </Typography>
      {isNothing ? <Typography>{translate('rules.changes.nothing')}</Typography> : null}
      {kinds.map((kind) => (
        <NamedRules key={kind} title={`rules.changes.${kind}`} rules={changes[kind]} />
      ))}
      <NamedRules title="rules.changes.aside" rules={setAside} />
    </section>
  );
}

interface NamedRulesProps {
  /** Key of the message before the names. */
  title: string;
  rules: readonly { program: string; key: string }[];
}

/** The names of some rules after a title; nothing without any. */
export function NamedRules({ title, rules }: NamedRulesProps) {
  const translate = useTranslate();
  if (rules.length === 0) return null;
  const names = rules.slice(0, namedMax).map(({ program, key }) => `${program}/${key}`);
  const more = rules.length > namedMax ? ` … (${rules.length})` : '';
  return (
    <Typography sx={{ overflowWrap: 'anywhere' }}>
      {translate(title)} {names.join(', ')}
      {more}
    </Typography>
  );
}
