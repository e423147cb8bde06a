import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { WholeField } from '../../ui/WholeField';
import type { DraftLine } from './activityDraft';
import { ProductField } from './ProductField';

interface DraftLinesProps {
  lines: readonly DraftLine[];
  onChange(lines: readonly DraftLine[]): void;
}

/** The line items of an activity that is posted by hand. */
export function DraftLines({ lines, onChange }: DraftLinesProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const add = () => {
    const key = Math.max(0, ...lines.map((line) => line.key)) + 1;
    onChange([...lines, { key, sku: '', price: '', quantity: '1' }]);
  };
  const set = (changed: DraftLine) => onChange(lines.map((line) => (line.key === changed.key ? changed : line)));
  return (
    <Stack sx={{ gap: 1, alignItems: 'flex-start' }}>
      {lines.map((line, place) => (
        <Stack
          key={line.key}
          direction="row"
          role="group"
          aria-label={translate('activities.post.line', { number: place + 1 })}
          sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}
        >
          <ProductField sku={line.sku} onPick={(sku, price) => set({ ...line, sku, price: price ?? line.price })} />
          <Stack sx={{ width: 120 }}>
            <WholeField label={label('itemPrice')} value={line.price} onChange={(price) => set({ ...line, price })} />
          </Stack>
          <Stack sx={{ width: 100 }}>
            <WholeField
              label={label('quantity')}
              value={line.quantity}
              onChange={(quantity) => set({ ...line, quantity })}
            />
          </Stack>
          <IconButton
            aria-label={translate('activities.post.removeLine', { number: place + 1 })}
            onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
          >
            <DeleteIcon />
          </IconButton>
        </Stack>
      ))}
      <Button startIcon={<AddIcon />} onClick={add}>
        {translate('activities.post.addLine')}
      </Button>
    </Stack>
  );
}
