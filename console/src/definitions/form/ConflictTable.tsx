import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { inWords } from '../Changes';
import type { Conflict, Side } from './conflicts';

interface ConflictTableProps {
  conflicts: readonly Conflict[];
  chosen: Readonly<Record<string, Side>>;
  onChoose(name: string, side: Side): void;
}

const sides = ['theirs', 'mine'] as const;

/** Each field with two values, as a choice between them. */
export function ConflictTable({ conflicts, chosen, onChoose }: ConflictTableProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  return (
    <Stack sx={{ gap: 2 }}>
      {conflicts.map((conflict) => {
        const { name, side } = conflict;
        const id = `conflict-${name}`;
        return (
          <div key={name}>
            <Typography variant="h3" component="h3" id={id}>
              {label(conflict)}
            </Typography>
            <RadioGroup
              aria-labelledby={id}
              value={chosen[name] ?? side}
              onChange={(_event, value) => onChoose(name, value === 'mine' ? 'mine' : 'theirs')}
            >
              {sides.map((each) => (
                <FormControlLabel
                  key={each}
                  value={each}
                  control={<Radio size="small" />}
                  label={`${translate(`definitions.conflict.${each}`)}: ${inWords(conflict[each])}`}
                  sx={{ overflowWrap: 'anywhere' }}
                />
              ))}
            </RadioGroup>
          </div>
        );
      })}
    </Stack>
  );
}
