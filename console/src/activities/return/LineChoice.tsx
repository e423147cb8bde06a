import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useLocale, useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { Money } from '../../ui/Money';
import { WholeField } from '../../ui/WholeField';
import { lineName } from '../page/Lines';
import { useProductNames } from '../page/useProductNames';
import { type ReturnSelection, unitsLeft } from './returnBody';

type History = components['schemas']['ActivityHistory'];

interface LineChoiceProps {
  activity: History;
  selection: ReturnSelection;
  onSelect(selection: ReturnSelection): void;
}

/** Asks what is returned: everything, some units of lines, or an amount. */
export function LineChoice({ activity, selection, onSelect }: LineChoiceProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const { lineItems, value, returnedValue = 0, currencyCode } = activity;
  const ways = (['lines', 'value', 'all'] as const).filter((how) => how !== 'lines' || lineItems.length > 0);
  return (
    <Stack sx={{ gap: 2 }}>
      <FormControl>
        <FormLabel id="return-how">{translate('activities.return.how')}</FormLabel>
        <RadioGroup
          row
          aria-labelledby="return-how"
          value={selection.how}
          onChange={({ target }) => onSelect({ ...selection, how: ways.find((how) => how === target.value) ?? 'all' })}
        >
          {ways.map((how) => (
            <FormControlLabel key={how} value={how} control={<Radio />} label={translate(`activities.return.${how}`)} />
          ))}
        </RadioGroup>
      </FormControl>
      {selection.how === 'lines' ? <Lines activity={activity} selection={selection} onSelect={onSelect} /> : null}
      {selection.how === 'value' ? (
        <Stack sx={{ gap: 1, maxWidth: 320 }}>
          <WholeField
            label={label('value')}
            value={selection.value}
            min={1}
            max={value - returnedValue}
            onChange={(text) => onSelect({ ...selection, value: text })}
          />
          <Typography variant="body2" color="textSecondary">
            {translate('activities.return.left')} <Money amount={value - returnedValue} currency={currencyCode} />
          </Typography>
        </Stack>
      ) : null}
    </Stack>
  );
}

/** A field for the units of each line. */
function Lines({ activity, selection, onSelect }: LineChoiceProps) {
  const translate = useTranslate();
  const locale = useLocale();
  const { lineItems, currencyCode } = activity;
  const names = useProductNames(lineItems);
  const set = (place: number, text: string) =>
    onSelect({ ...selection, quantities: selection.quantities.map((each, other) => (other === place ? text : each)) });
  return (
    <Stack component="ul" sx={{ gap: 1, m: 0, p: 0, listStyle: 'none' }}>
      {lineItems.map((line, place) => {
        const left = unitsLeft(line);
        const name = lineName({ ...line, place });
        const units = left.toLocaleString(locale);
        return (
          <Stack
            component="li"
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity, and never moves here
            key={place}
            direction="row"
            sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}
          >
            <Stack sx={{ width: 150 }}>
              <WholeField
                label={translate('activities.return.units', { name })}
                value={selection.quantities[place] ?? ''}
                max={left}
                onChange={(text) => set(place, text)}
              />
            </Stack>
            <Typography sx={{ minWidth: 120 }}>
              {names.get(line.productId ?? '') ?? name} · <Money amount={line.itemPrice} currency={currencyCode} />
            </Typography>
            <Button onClick={() => set(place, String(left))} disabled={left === 0}>
              {translate('activities.return.allOf', { units })}
            </Button>
          </Stack>
        );
      })}
    </Stack>
  );
}
