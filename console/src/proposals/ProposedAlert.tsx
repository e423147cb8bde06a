import Alert from '@mui/material/Alert';
import MuiLink from '@mui/material/Link';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Proposal } from './proposalApi';

/** Says that a second person has to approve now, and leads to the proposal. */
export function ProposedAlert({ proposal }: { proposal: Pick<Proposal, '_id'> }) {
  const translate = useTranslate();
  return (
    <Alert severity="success">
      {translate('proposals.ask.done')}{' '}
      <MuiLink component={Link} to={`/proposals/${proposal._id}`}>
        {translate('proposals.ask.show')}
      </MuiLink>
    </Alert>
  );
}
