import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { useZone } from '../../time/ZoneContext';
import { fromInputText } from '../../time/zones';
import type { RuleFields } from '../draft/parsedRule';
import { NumberField } from '../inputs/NumberField';
import { DateTimeField } from '../parts/DateTimeField';

interface SimulateDialogProps {
  /** The code of the program. */
  program: string;
  rule: RuleFields | undefined;
  onClose(): void;
}

/** Starts a simulation of the rule as it is now, beside the other rules in force, over past activities. */
export function SimulateDialog({ program, rule, onClose }: SimulateDialogProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const zone = useZone();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [percent, setPercent] = useState<number | undefined>(100);
  const [begin, end] = [fromInputText(from, zone), fromInputText(to, zone)];
  const starting = useMutation({
    mutationFn: () =>
      result(
        client.POST('/api/v1/rules/simulate', {
          body: {
            rules: [toSimulate(rule)],
            program,
            ...(begin ? { from: begin } : {}),
            ...(end ? { to: end } : {}),
            ...(percent !== undefined && percent < 100 ? { sample: percent / 100 } : {}),
          },
        }),
      ),
    onSuccess: ({ _id }) => navigate(`/simulations/${_id}`),
  });
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>{translate('rules.simulate.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{translate('rules.simulate.text')}</Typography>
        <DateTimeField label={translate('rules.simulate.from')} value={from} onChange={setFrom} />
        <DateTimeField label={translate('rules.simulate.to')} value={to} onChange={setTo} />
        <NumberField label={translate('rules.simulate.sample')} value={percent} onChange={setPercent} />
        {starting.error ? <Alert severity="error">{faultText(starting.error, translate)}</Alert> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          disabled={rule === undefined}
          loading={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {translate('rules.simulate.start')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The rule without what the past does not need: tests that its change breaks are for later; `$schema` is for editors. */
function toSimulate({ $schema: _editor, tests: _tests, ...rule }: RuleFields = {}): Record<string, unknown> {
  return rule;
}
