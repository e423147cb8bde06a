import Alert from '@mui/material/Alert';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { NotFoundPage } from '../app/NotFoundPage';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { useRuleSetStatus } from '../rules/api/ruleApi';
import { Waiting } from '../rules/parts/Waiting';
import { useVersionBefore, useVersionDiff, type VersionDiff } from './ruleSetApi';
import { VersionActions } from './VersionActions';

const Differences = lazyPage(() => import('../rules/json/Differences'));

/** Most changed rules whose differences are shown at once. */
const shownMax = 50;

/**
 * The page of a version: how its rules differ from those in force, or from another version in the address. The one in
 * force is compared with the one before it.
 */
export default function VersionPage() {
  const { version: text = '' } = useParams();
  const version = Number(text);
  return Number.isSafeInteger(version) && version > 0 ? <OneVersion version={version} /> : <NotFoundPage />;
}

function OneVersion({ version }: { version: number }) {
  const translate = useTranslate();
  const [search, setSearch] = useSearchParams();
  const status = useRuleSetStatus();
  const to = /^[1-9]\d{0,8}$/.test(search.get('to') ?? '') ? Number(search.get('to')) : undefined;
  const inForce = status.data?.version ?? undefined;
  // The version in force is compared with the one before it: with itself it would differ in nothing.
  const isInForce = version === inForce;
  const { data: before, isPending } = useVersionBefore(version, isInForce);
  const isNewest = to === undefined && isInForce;
  const { data, error } = useVersionDiff(
    isNewest ? (before ?? version) : version,
    isNewest ? version : to,
    to !== undefined || !(isInForce ? isPending : status.isPending),
  );
  return (
    <>
      <PageHeading
        title={translate('rulesets.version', { version })}
        text={
          data && data.from !== data.to ? translate('rulesets.compared', { from: data.from, to: data.to }) : undefined
        }
        actions={<VersionActions version={{ version }} inForce={inForce} />}
      />
      <TextField
        label={translate('rulesets.to')}
        placeholder={String((isInForce ? before : inForce) ?? '')}
        value={search.get('to') ?? ''}
        slotProps={{ htmlInput: { inputMode: 'numeric' }, inputLabel: { shrink: true } }}
        onChange={({ target }) => setSearch(target.value === '' ? {} : { to: target.value }, { replace: true })}
        sx={{ mb: 2 }}
      />
      <Fault error={error} />
      {data ? <AllDifferences diff={data} /> : error ? null : <Waiting />}
    </>
  );
}

function AllDifferences({ diff }: { diff: VersionDiff }) {
  const translate = useTranslate();
  const { from, to, added, removed, changed } = diff;
  if (from === to) return <Alert severity="info">{translate('rulesets.only')}</Alert>;
  if (added.length + removed.length + changed.length === 0) {
    return <Alert severity="info">{translate('rulesets.same')}</Alert>;
  }
  return (
    <Stack sx={{ gap: 2 }}>
      <Named title={translate('rulesets.added', { smart_count: added.length })} rules={added} />
      <Named title={translate('rulesets.removed', { smart_count: removed.length })} rules={removed} />
      {changed.slice(0, shownMax).map((rule) => (
        <Card key={`${rule.program} ${rule.key}`} component="section" sx={{ p: 2 }} aria-label={rule.name}>
          <Typography variant="h2" sx={{ mb: 1 }}>
            <MuiLink component={Link} to={`/rules/${rule.program}/${rule.key}`}>
              {rule.name}
            </MuiLink>
          </Typography>

          <Differences label={rule.name} before={sideOf(rule, 'before')} after={sideOf(rule, 'after')} />
        </Card>
      ))}
      {changed.length > shownMax ? (
        <Alert severity="info">{translate('rulesets.more', { count: changed.length - shownMax })}</Alert>
      ) : null}
    </Stack>
  );
}

function Named({ title, rules }: { title: string; rules: VersionDiff['added'] }) {
  if (rules.length === 0) return null;
  return (
    <Card component="section" sx={{ p: 2 }} aria-label={title}>
      <Typography variant="h2">{title}</Typography>
      <List dense>
        {rules.map(({ program, key, name, file }) => (
          <ListItem key={`${program} ${key}`} disableGutters>
            {name} ({program} · {key} · {file})
          </ListItem>
        ))}
      </List>
    </Card>
  );
}

/** The changed fields of a rule as JSON, as they are on one side. */
function sideOf({ fields }: VersionDiff['changed'][number], side: 'before' | 'after'): string {
  const own = fields.filter((field) => side in field);
  return JSON.stringify(Object.fromEntries(own.map((field) => [field.field, field[side]])), null, 2);
}
