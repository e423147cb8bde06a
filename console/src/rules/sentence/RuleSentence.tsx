import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { RuleFields } from '../draft/parsedRule';
import type { Change } from '../draft/ruleText';
import { RuleTools } from '../form/RuleTools';
import type { RuleSchema } from '../schema/knownFacts';
import { AddPart } from './AddPart';
import { ChipButton } from './ChipButton';
import { type Chip, countsWholePerLine, sentenceOf } from './sentence';

interface RuleSentenceProps {
  rule: RuleFields;
  schema: RuleSchema;
  isReadOnly: boolean;
  onChange(change: Change): void;
}

/**
 * The rule as one sentence: *Gold members get 2 × the points on Coffee, at most 500 a month*. Each part of it is a button
 * that opens the fields behind it. What the rule has no part for is in the form of all fields.
 */
export function RuleSentence({ rule, schema, isReadOnly, onChange }: RuleSentenceProps) {
  const translate = useTranslate();
  const chips = sentenceOf(rule);
  const hasActions = chips.some(({ kind }) => kind === 'action');
  return (
    <RuleTools schema={schema} isReadOnly={isReadOnly} onChange={onChange}>
      <Card component="section" aria-labelledby="rule-sentence" sx={{ p: 2, minWidth: 0 }}>
        <Typography variant="h2" id="rule-sentence" sx={{ mb: 1 }}>
          {translate('rules.sentence.title')}
        </Typography>
        <Box sx={looks}>
          {chips.map((chip, index) => (
            <Part key={`${chip.kind} ${chip.path.join('.')}`} chip={chip} before={chips[index - 1]} rule={rule} />
          ))}
          {hasActions ? null : <Typography color="textSecondary">{translate('rules.sentence.nothingYet')}</Typography>}
        </Box>
        {countsWholePerLine(rule) ? (
          <Alert severity="warning" sx={{ mt: 1.5 }}>
            {translate('rules.sentence.wholePerLine')}
          </Alert>
        ) : null}
        {isReadOnly ? null : <AddPart rule={rule} />}
      </Card>
    </RuleTools>
  );
}

/** Words and buttons flow like text. */
const looks = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.75, lineHeight: 2 };

function Part({ chip, before, rule }: { chip: Chip; before: Chip | undefined; rule: RuleFields }) {
  const translate = useTranslate();
  const words = translate(`rules.sentence.before.${wordsBefore(chip, before)}`, { _: '' });
  return (
    <>
      {words === '' ? null : <Typography component="span">{words}</Typography>}
      <ChipButton chip={chip} rule={rule} />
    </>
  );
}

/** The name of the words before a part: a second one of a kind is added to the first. */
function wordsBefore({ kind, value }: Chip, before: Chip | undefined): string {
  const isAward = (value as { type?: unknown } | undefined)?.type === 'addPoints';
  const own = kind === 'action' && !isAward ? 'effect' : kind;
  return before?.kind === kind ? `${own}Next` : own;
}
