import Alert from '@mui/material/Alert';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { lazyPage } from '../app/lazyPage';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { FirstZone } from '../rules/parts/FirstZone';
import { RuleChanges } from '../rules/parts/RuleChanges';
import { Waiting } from '../rules/parts/Waiting';
import { DateTime } from '../time/DateTime';
import { ProposalActions } from './ProposalActions';
import { ProposalChecks } from './ProposalChecks';
import { isOwn, type OneProposal, useProposal } from './proposalApi';
import { proposalTitle } from './proposalTitle';

const Differences = lazyPage(() => import('../rules/json/Differences'));

/** Most files whose differences are shown at once. */
const shownMax = 50;

/**
 * The page of a proposal: who proposed it and why, every file before and after, and what a second person may decide.
 */
export default function ProposalPage() {
  const translate = useTranslate();
  const { id = '' } = useParams();
  const { data, error } = useProposal(id);
  if (!data) {
    return (
      <>
        <PageHeading title={translate('proposals.one')} />
        {error ? <Fault error={error} /> : <Waiting />}
      </>
    );
  }
  return (
    <FirstZone program={data.paths[0]?.split('/')[0]}>
      <PageHeading
        title={proposalTitle(data, translate)}
        text={<ProposedBy proposal={data} />}
        actions={<ProposalActions proposal={data} />}
      />
      <Stack sx={{ gap: 2 }}>
        <State proposal={data} />
        {data.status === 'Pending' && data.action === 'publish' ? <ProposalChecks files={data.files} /> : null}
        {data.status === 'Pending' && data.action === 'publish' ? <RuleChanges files={data.files} /> : null}
        <Files proposal={data} />
      </Stack>
    </FirstZone>
  );
}

function ProposedBy({ proposal }: { proposal: OneProposal }) {
  const translate = useTranslate();
  const { proposer, createdAt, reason, version } = proposal;
  return (
    <>
      {translate('proposals.asked', { name: proposer })} <DateTime at={createdAt} />
      {reason === undefined ? '' : ` · ${translate('proposals.quoted', { text: reason })}`}
      {version === undefined ? '' : ` · ${translate('proposals.against', { version })}`}
    </>
  );
}

/** What became of it, or what it waits for. */
function State({ proposal }: { proposal: OneProposal }) {
  const translate = useTranslate();
  const { status, decider = '', decidedAt, decisionReason, published, from, endsAt, isOutdated } = proposal;
  if (status !== 'Pending') {
    return (
      <Alert severity={status === 'Approved' ? 'success' : 'warning'}>
        {translate(`proposals.by.${status}`, { name: decider })} <DateTime at={decidedAt} />
        {decisionReason === undefined ? '' : ` · ${translate('proposals.quoted', { text: decisionReason })}`}{' '}
        {published === undefined ? null : (
          <MuiLink component={Link} to={`/rulesets/${published}`}>
            {translate('rulesets.version', { version: published })}
          </MuiLink>
        )}
      </Alert>
    );
  }
  return (
    <>
      {isOutdated ? <Alert severity="error">{translate('proposals.outdated')}</Alert> : null}
      <Alert severity="info">
        {translate(isOwn(proposal) ? 'proposals.own' : 'proposals.others')} {translate('proposals.until')}{' '}
        <DateTime at={endsAt} />
        {from === undefined ? null : (
          <>
            {' · '}
            {translate('rules.publish.from')} <DateTime at={from} />
          </>
        )}
      </Alert>
    </>
  );
}

function Files({ proposal: { files, ruleSet } }: { proposal: OneProposal }) {
  const translate = useTranslate();
  if (ruleSet !== undefined) {
    return (
      <MuiLink component={Link} to={`/rulesets/${ruleSet}`}>
        {translate('proposals.versionDiff', { version: ruleSet })}
      </MuiLink>
    );
  }
  if (files.length === 0) return <Alert severity="info">{translate('proposals.same')}</Alert>;
  return (
    <>
      {files.slice(0, shownMax).map(({ path, before, text }) => (
        <Card key={path} component="section" sx={{ p: 2 }} aria-label={path}>
          <Typography variant="h2" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
            {path} {before === undefined ? `(${translate('proposals.newFile')})` : ''}
          </Typography>

          <Differences label={path} before={before ?? ''} after={text} />
        </Card>
      ))}
      {files.length > shownMax ? (
        <Alert severity="info">{translate('proposals.moreFiles', { count: files.length - shownMax })}</Alert>
      ) : null}
    </>
  );
}
