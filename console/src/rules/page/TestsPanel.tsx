import CancelIcon from '@mui/icons-material/CancelOutlined';
import CheckIcon from '@mui/icons-material/CheckCircleOutlined';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import type { Preview } from '../api/ruleApi';
import { Panel } from '../parts/Panel';

interface TestsPanelProps {
  preview: Preview | undefined;
  /** The key of the rule. */
  name: string;
  isPending: boolean;
}

/** The results of the tests of the rule, each with its differences. */
export function TestsPanel({ preview, name, isPending }: TestsPanelProps) {
  const translate = useTranslate();
  const text = useServiceMessage();
  const own = preview?.rules.filter((rule) => rule.key === name || rule.table === name) ?? [];
  const tests = own.flatMap((rule) => rule.tests);
  const passed = tests.filter(({ differences }) => differences.length === 0).length;
  if (!preview) return null;
  return (
    <Panel
      name="tests"
      note={
        tests.length === 0 ? null : (
          <Typography component="span" color="textSecondary">
            {translate('rules.tests.passed', { passed, total: tests.length })}
          </Typography>
        )
      }
    >
      {tests.length === 0 && !isPending ? (
        <Typography color="textSecondary">
          {translate(own.length === 0 ? 'rules.tests.notRun' : 'rules.tests.none')}
        </Typography>
      ) : null}
      <List dense disablePadding>
        {tests.map((test) => {
          const isPassed = test.differences.length === 0;
          return (
            <ListItem key={test.name} disableGutters alignItems="flex-start">
              <ListItemIcon sx={{ minWidth: 32 }}>
                {isPassed ? (
                  <CheckIcon color="success" titleAccess={translate('rules.tests.good')} />
                ) : (
                  <CancelIcon color="error" titleAccess={translate('rules.tests.bad')} />
                )}
              </ListItemIcon>
              <ListItemText primary={test.name} secondary={test.messages.map(text).join('; ')} />
            </ListItem>
          );
        })}
      </List>
      {tests.length > 0 ? <Coverage rules={own} /> : null}
    </Panel>
  );
}

/** Most conditions that the page names. */
const namedMax = 20;

/** What the tests do not reach: whether the rule fires in none, and conditions that were not both true and false. */
function Coverage({ rules }: { rules: Preview['rules'] }) {
  const translate = useTranslate();
  const open = rules.flatMap(({ key, coverage }) => coverage.uncovered.map((each) => ({ key, ...each })));
  const notHit = rules.filter(({ coverage }) => !coverage.isHit);
  return (
    <section aria-label={translate('rules.coverage.title')}>
      <Typography variant="body2" color="textSecondary">
        {notHit.length > 0 ? `${translate('rules.coverage.notHit')}. ` : ''}
        {translate(open.length === 0 ? 'rules.coverage.whole' : 'rules.coverage.list')}
      </Typography>
      <List dense disablePadding>
        {open.slice(0, namedMax).map(({ key, sentence, came }) => (
          <ListItem key={`${key} ${sentence}`} disableGutters>
            <ListItemText primary={sentence} secondary={translate(`rules.coverage.${came}`)} />
          </ListItem>
        ))}
      </List>
    </section>
  );
}
