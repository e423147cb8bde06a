import Stack from '@mui/material/Stack';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { Choice } from '../../ui/Choice';
import { useFilter } from '../../ui/useFilter';
import { useWords } from '../../ui/useWords';

const types = ['Accrual', 'Redemption', 'Adjustment', 'Enrollment', 'Referral', 'Cancellation'];
const statuses = ['Processed', 'Cancelled', 'Error'];

/** Filters of the activities of a member, which are in the address: `type` and `status`. */
export function ActivityFilters() {
  const words = useWords();
  const label = useFieldLabel();
  const [type, setType] = useFilter('type');
  const [status, setStatus] = useFilter('status');
  const choices = (kind: 'type' | 'status', values: readonly string[]) =>
    values.map((value) => [value, words(kind, value)] as const);
  return (
    <Stack direction="row" sx={{ gap: 1, p: 2, pb: 1, flexWrap: 'wrap' }}>
      <Choice label={label('type')} value={type} choices={choices('type', types)} onChoose={setType} />
      <Choice label={label('status')} value={status} choices={choices('status', statuses)} onChoose={setStatus} />
    </Stack>
  );
}
