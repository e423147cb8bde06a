import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { RuleFields } from '../draft/parsedRule';
import { useRuleForm } from '../inputs/RuleFormContext';
import { ChipFields } from './ChipFields';
import { chipWords } from './chipWords';
import { type Chip, withoutChip } from './sentence';
import { useWording } from './useWording';

/** A part of the sentence as a button that opens the fields behind it. */
export function ChipButton({ chip, rule }: { chip: Chip; rule: RuleFields }) {
  const translate = useTranslate();
  const wording = useWording();
  const { change, isReadOnly } = useRuleForm();
  const [at, setAt] = useState<HTMLElement>();
  const words = chipWords(chip, wording);
  const name = translate(`rules.sentence.names.${chip.kind}`);
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        aria-haspopup="dialog"
        onClick={(event) => setAt(event.currentTarget)}
        sx={{ borderRadius: 4, textTransform: 'none', textAlign: 'left', fontSize: '0.9375rem', py: 0.25 }}
      >
        {words}
      </Button>
      <Popover
        open={at !== undefined}
        anchorEl={at ?? null}
        onClose={() => setAt(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': name, sx: { p: 2, width: 480, maxWidth: '100%' } } }}
      >
        <Stack sx={{ gap: 2 }}>
          <ChipFields chip={chip} rule={rule} />
          <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between' }}>
            {isReadOnly ? (
              <span />
            ) : (
              <Button
                color="inherit"
                onClick={() => {
                  setAt(undefined);
                  for (const each of withoutChip(rule, chip)) change(each);
                }}
              >
                {translate(chip.kind === 'whom' ? 'rules.sentence.forEveryone' : 'rules.sentence.remove')}
              </Button>
            )}
            <Button variant="contained" onClick={() => setAt(undefined)}>
              {translate('rules.sentence.done')}
            </Button>
          </Stack>
        </Stack>
      </Popover>
    </>
  );
}
