import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { DateTime } from '../time/DateTime';
import type { Proposal } from './proposalApi';
import { proposalTitle } from './proposalTitle';

/** Proposals with who made them and when; decided ones also with who decided. */
export function ProposalTable({ proposals, label }: { proposals: readonly Proposal[]; label: string }) {
  const translate = useTranslate();
  const isDecided = proposals.some(({ decidedAt }) => decidedAt !== undefined);
  const columns = ['change', 'proposer', 'createdAt', ...(isDecided ? ['decider', 'decidedAt'] : [])];
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column}>{translate(`proposals.fields.${column}`)}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {proposals.map((proposal) => (
            <TableRow key={proposal._id} hover>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'break-word', minWidth: 160 }}>
                <MuiLink component={Link} to={`/proposals/${proposal._id}`}>
                  {proposalTitle(proposal, translate)}
                </MuiLink>
                <Typography variant="body2" color="textSecondary">
                  {proposal.reason}
                </Typography>
              </TableCell>
              <TableCell>{proposal.proposer}</TableCell>
              <TableCell sx={{ whiteSpace: 'nowrap' }}>
                <DateTime at={proposal.createdAt} />
              </TableCell>
              {isDecided ? <TableCell>{proposal.decider}</TableCell> : null}
              {isDecided ? (
                <TableCell sx={{ whiteSpace: 'nowrap' }}>
                  <DateTime at={proposal.decidedAt} />
                </TableCell>
              ) : null}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
