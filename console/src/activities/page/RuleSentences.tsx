import CheckIcon from '@mui/icons-material/CheckCircleOutlined';
import NoIcon from '@mui/icons-material/RemoveCircleOutlined';
import NearIcon from '@mui/icons-material/TrackChanges';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useLocale, useTranslate } from 'react-admin';
import { useMatchSentence } from '../../i18n/useMatchSentence';
import { may } from '../../session/session';
import { PageLink } from '../../ui/PageLink';
import { useProgram } from '../../ui/ProgramContext';

type Match = components['schemas']['ExplainedMatch'];
type Miss = components['schemas']['NearestMiss'];

interface RuleSentencesProps {
  matches: readonly Match[];
  nearestMiss?: Miss | null;
}

/** Rules with a sentence each: the nearest miss, those that fired, those that were cut, then the others. */
export function RuleSentences({ matches, nearestMiss }: RuleSentencesProps) {
  const rest = matches.filter(({ rule }) => rule !== nearestMiss?.rule);
  const place = (match: Match) =>
    match.fired ? 0 : match.reason === 'conditionFailed' || match.reason === 'notEffective' ? 2 : 1;
  const inOrder = [...rest].sort((one, other) => place(one) - place(other));
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {nearestMiss ? <Miss miss={nearestMiss} match={matches.find(({ rule }) => rule === nearestMiss.rule)} /> : null}
      {inOrder.map((match) => (
        <Sentence key={match.rule} match={match} />
      ))}
    </Box>
  );
}

function Miss({ miss, match }: { miss: Miss; match: Match | undefined }) {
  const translate = useTranslate();
  return (
    <Item icon={<NearIcon color="warning" />}>
      <Typography component="div" sx={{ fontWeight: 600 }}>
        <RuleName rule={miss} /> <Chip size="small" variant="outlined" label={translate('activities.why.nearest')} />
      </Typography>
      <Typography>{miss.sentence}</Typography>
      <Cut match={match} />
    </Item>
  );
}

function Sentence({ match }: { match: Match }) {
  const translate = useTranslate();
  const sentence = useMatchSentence();
  const Icon = match.fired ? CheckIcon : NoIcon;
  const state = match.fired ? 'fired' : (match.reason ?? 'conditionFailed');
  return (
    <Item
      icon={<Icon color={match.fired ? 'success' : 'disabled'} titleAccess={translate(`activities.why.${state}`)} />}
    >
      <Typography component="div" sx={{ fontWeight: 600 }}>
        <RuleName rule={match} />
      </Typography>
      <Typography>{sentence(match)}</Typography>
      <Cut match={match} />
    </Item>
  );
}

/** How much limits left of what the rule wanted to give. */
function Cut({ match }: { match: Match | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  const { desired = 0, granted = 0 } = match ?? {};
  if (granted >= desired) return null;
  const points = { desired: desired.toLocaleString(locale), granted: granted.toLocaleString(locale) };
  return (
    <Typography variant="body2" color="textSecondary">
      {translate('activities.why.cut', points)}
    </Typography>
  );
}

function RuleName({ rule }: { rule: { key: string; name: string } }) {
  const program = useProgram();
  if (!program || !may('rules:read')) return <>{rule.name}</>;
  return <PageLink to={`/rules/${program.code}/${rule.key}`}>{rule.name}</PageLink>;
}

function Item({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, py: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ pt: 0.25 }}>{icon}</Box>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
    </Box>
  );
}
