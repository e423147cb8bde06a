import Alert from '@mui/material/Alert';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { Nothing } from '../app/unread/Nothing';
import { RulesMenu } from '../rules/parts/RulesMenu';
import { Waiting } from '../rules/parts/Waiting';
import { ProposalTable } from './ProposalTable';
import { type Proposal, useProposals } from './proposalApi';

const states = ['Pending', 'Approved', 'Rejected'] as const;

/** The page of all proposals: what waits for a second person, and what was decided lately. */
export default function ProposalsPage() {
  const translate = useTranslate();
  return (
    <>
      <PageHeading title={translate('proposals.title')} text={translate('proposals.text')} />
      <RulesMenu at="proposals" />
      {states.map((status) => (
        <OfState key={status} status={status} />
      ))}
    </>
  );
}

function OfState({ status }: { status: Proposal['status'] }) {
  const translate = useTranslate();
  const { data, error } = useProposals(status);
  const title = translate(`proposals.states.${status}`);
  return (
    <Card component="section" sx={{ mb: 2, pt: 2 }} aria-labelledby={`proposals-${status}`}>
      <Typography variant="h2" id={`proposals-${status}`} sx={{ px: 2, pb: 1 }}>
        {title}
      </Typography>
      <Fault error={error} />
      {data?.length === 0 ? (
        <Alert severity="info">
          <Nothing>{translate(`proposals.none.${status}`)}</Nothing>
        </Alert>
      ) : null}
      {data && data.length > 0 ? <ProposalTable proposals={data} label={title} /> : null}
      {data || error ? null : <Waiting />}
    </Card>
  );
}
