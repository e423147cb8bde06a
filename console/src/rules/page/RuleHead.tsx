import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { PageHeading } from '../../app/PageHeading';
import { may } from '../../session/session';
import { StatusChip } from '../parts/StatusChip';

export type RuleDialog = 'publish' | 'try' | 'simulate';

/** The height of the bar of the console, and of the bar with the head, in pixels. */
const barHeight = 48;
export const belowHead = barHeight + 84;

interface RuleHeadProps {
  title: string;
  /** Where the rule is. */
  text: string;
  status: string | undefined;
  /** How many faults the service finds. */
  faults: number;
  isChanged: boolean;
  onUndo(): void;
  onOpen(dialog: RuleDialog): void;
}

/** The name and state of the rule, and what can be done with it. It stays at the top however far the page is scrolled. */
export function RuleHead({ title, text, status, faults, isChanged, onUndo, onOpen }: RuleHeadProps) {
  const translate = useTranslate();
  return (
    <Box sx={looks}>
      <PageHeading
        isOneLine
        title={title}
        text={
          <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
            {status === undefined ? null : <StatusChip status={status} />}
            <Box component="span" sx={{ display: { md: 'none', lg: 'inline' } }}>
              {text}
            </Box>
            {isChanged ? <Typography component="span">{translate('rules.page.kept')}</Typography> : null}
          </Box>
        }
        actions={
          <>
            {faults > 0 ? (
              <Button color="error" onClick={showChecks}>
                {translate('rules.checks.count', { smart_count: faults })}
              </Button>
            ) : null}
            {isChanged ? <Button onClick={onUndo}>{translate('rules.page.undo')}</Button> : null}
            {may('rules:simulate') ? (
              <>
                <Button variant="outlined" onClick={() => onOpen('try')}>
                  {translate('rules.try.open')}
                </Button>
                <Button variant="outlined" onClick={() => onOpen('simulate')}>
                  {translate('rules.simulate.open')}
                </Button>
              </>
            ) : null}
            {may('rules:publish') ? (
              <Button variant="contained" disabled={!isChanged} onClick={() => onOpen('publish')}>
                {translate('rules.publish.open')}
              </Button>
            ) : null}
          </>
        }
      />
    </Box>
  );
}

/** Only in windows that are high and wide enough: elsewhere a head that stays would cover what is read. */
const looks = {
  '@media (min-width: 900px) and (min-height: 600px)': { position: 'sticky', top: barHeight, zIndex: 2 },
  backgroundColor: 'background.default',
  borderBottom: 1,
  borderColor: 'divider',
  mb: 1,
  maxWidth: '100%',
};

/** Brings the checks into view, for the keyboard too. */
function showChecks(): void {
  const panel = document.getElementById('rules-checks');
  panel?.scrollIntoView({ block: 'nearest' });
  panel?.focus({ preventScroll: true });
}
