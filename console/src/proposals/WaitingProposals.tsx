import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useRuleOverview } from '../rules/api/ruleApi';
import { ProposalTable } from './ProposalTable';
import { useProposals } from './proposalApi';

/** What waits for a second person; nothing when nothing waits. */
export function WaitingProposals() {
  const translate = useTranslate();
  const { data: overview } = useRuleOverview();
  const { data = [] } = useProposals('Pending', overview?.needsApproval === true);
  if (data.length === 0) return null;
  return (
    <Card component="section" sx={{ mb: 2, pt: 2 }} aria-labelledby="waiting-proposals">
      <Typography variant="h2" id="waiting-proposals" sx={{ px: 2 }}>
        {translate('proposals.waiting', { smart_count: data.length })}
      </Typography>
      <ProposalTable proposals={data} label={translate('proposals.waiting', { smart_count: data.length })} />
    </Card>
  );
}
