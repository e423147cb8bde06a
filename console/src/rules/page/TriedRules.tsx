import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { useMatchSentence } from '../../i18n/useMatchSentence';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import type { Tried } from '../api/ruleApi';

/** The outcome of a trial: of each rule whether it fires and why, and the points that the member would have. */
export function TriedRules({ tried, name }: { tried: Tried; name: string }) {
  const translate = useTranslate();
  const locale = useLocale();
  const text = useServiceMessage();
  const sentence = useMatchSentence();
  const { result, member, ruleMatch = [] } = tried;
  const isOwn = ({ key }: { key: string }) => key === name || key.startsWith(`${name}-`);
  const ordered = [...ruleMatch].sort(
    (a, b) => Number(isOwn(b)) - Number(isOwn(a)) || Number(b.fired) - Number(a.fired),
  );
  return (
    <Box role="status">
      {result.errors.map((error) => (
        <Alert key={`${error.code} ${error.message}`} severity="error">
          {text(error)}
        </Alert>
      ))}
      {member ? (
        <Typography>
          {translate('rules.try.after')}{' '}
          {member.purses.map((purse) => `${purse.name}: ${purse.availBalance.toLocaleString(locale)}`).join(' · ')}
        </Typography>
      ) : null}
      <List dense>
        {ordered.map((match) => (
          <ListItem key={match.rule} disableGutters alignItems="flex-start">
            <ListItemText
              primary={`${translate(match.fired ? 'rules.try.fires' : 'rules.try.not')} ${match.name}`}
              secondary={match.sentence === undefined ? undefined : sentence(match)}
              slotProps={{ primary: { sx: { fontWeight: isOwn(match) ? 700 : 400 } } }}
            />
          </ListItem>
        ))}
      </List>
    </Box>
  );
}
