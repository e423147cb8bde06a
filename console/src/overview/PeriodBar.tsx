import Button from '@mui/material/Button';
import ButtonGroup from '@mui/material/ButtonGroup';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { useZone } from '../time/ZoneContext';
import type { OverviewProgram } from './overviewProgram';
import { addDays, dayOf, type Period } from './period';

const lengths = [7, 30, 90, 365] as const;

interface PeriodBarProps {
  programs: readonly OverviewProgram[];
  program: OverviewProgram;
  period: Period;
}

/** Chooses the program and the period; both are in the address. */
export function PeriodBar({ programs, program, period }: PeriodBarProps) {
  const translate = useTranslate();
  const zone = useZone();
  const [search, setSearch] = useSearchParams();
  const set = (changed: Record<string, string>) =>
    setSearch(new URLSearchParams({ ...Object.fromEntries(search), ...changed }));
  const today = dayOf(Date.now(), zone);
  const isLast = (days: number) => period.isUntilToday && period.fromDay === addDays(today, 1 - days);
  return (
    <>
      {programs.length > 1 ? (
        <TextField
          select
          label={translate('resources.programs.name', { smart_count: 1 })}
          value={program.id}
          onChange={({ target }) => set({ program: target.value })}
          fullWidth={false}
          sx={{ minWidth: 160 }}
        >
          {programs.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      ) : null}
      <ButtonGroup aria-label={translate('overview.period')} size="small">
        {lengths.map((days) => (
          <Button
            key={days}
            variant={isLast(days) ? 'contained' : 'outlined'}
            aria-pressed={isLast(days)}
            onClick={() => set({ from: addDays(today, 1 - days), to: today })}
          >
            {translate('overview.days', { smart_count: days })}
          </Button>
        ))}
      </ButtonGroup>
      <DayInput label={translate('fields.from')} value={period.fromDay} onChange={(from) => set({ from })} />
      <DayInput label={translate('fields.to')} value={period.toDay} onChange={(to) => set({ to })} />
    </>
  );
}

interface DayInputProps {
  label: string;
  value: string;
  onChange(day: string): void;
}

function DayInput({ label, value, onChange }: DayInputProps) {
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={({ target }) => {
        if (target.value !== '') onChange(target.value);
      }}
      fullWidth={false}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
