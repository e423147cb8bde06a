import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { lazyPage } from '../../app/lazyPage';
import type { ServiceMessage } from '../../i18n/serviceMessage';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import { type Preview, useRuleSchema } from '../api/ruleApi';
import { placeInRule } from '../draft/ruleText';
import type { RuleDraft } from '../draft/useRuleDraft';
import { RuleForm } from '../form/RuleForm';
import { Waiting } from '../parts/Waiting';
import type { Tables } from '../table/useTables';

// The form is not among them: React shows what was waited for 300 ms after the sign of waiting, and each once more.
const JsonEditor = lazyPage(() => import('../json/JsonEditor'));
const TablesView = lazyPage(() => import('../table/TablesView'));

const views = ['form', 'json', 'tables'] as const;

type View = (typeof views)[number];

interface RuleViewsProps {
  draft: RuleDraft;
  tables: Tables;
  preview: Preview | undefined;
  isReadOnly: boolean;
}

/**
 * The rule with all fields of its schema, as JSON, and its tables. They are folded away below the sentence; the address
 * says when they are open, and which of them is shown.
 */
export function RuleViews(props: RuleViewsProps) {
  const translate = useTranslate();
  const [search, setSearch] = useSearchParams();
  const asked = views.find((each) => each === search.get('view'));
  // A rule that cannot be read has no sentence: its text must be in sight.
  const isOpen = asked !== undefined || !('rule' in props.draft.parsed);
  const view = asked ?? (isOpen ? 'json' : 'form');
  const show = (next: View | undefined) => setSearch((before) => withView(before, next), { replace: true });
  return (
    <Accordion
      variant="outlined"
      disableGutters
      expanded={isOpen}
      onChange={(_event, expand) => show(expand ? view : undefined)}
      slotProps={{ transition: { unmountOnExit: true } }}
      sx={{ minWidth: 0 }}
    >
      <AccordionSummary expandIcon={<ExpandMoreIcon />}>{translate('rules.page.advanced')}</AccordionSummary>
      <AccordionDetails sx={{ p: 0 }}>
        <Tabs value={view} onChange={(_event, next: View) => show(next)} aria-label={translate('rules.page.views')}>
          {views.map((each) => (
            <Tab
              key={each}
              value={each}
              id={`view-${each}`}
              aria-controls="view"
              label={translate(`rules.page.${each}`)}
            />
          ))}
        </Tabs>
        <Box sx={{ p: 2 }} role="tabpanel" id="view" aria-labelledby={`view-${view}`}>
          <OneView view={view} {...props} />
        </Box>
      </AccordionDetails>
    </Accordion>
  );
}

/** The arguments of the address with this view, or with none. */
function withView(before: URLSearchParams, view: View | undefined): URLSearchParams {
  const others = [...before].filter(([name]) => name !== 'view');
  return new URLSearchParams(view === undefined ? others : [...others, ['view', view]]);
}

function OneView({ view, draft, tables, preview, isReadOnly }: RuleViewsProps & { view: View }) {
  const translate = useTranslate();
  const { data: schema } = useRuleSchema();
  const inLanguage = useServiceMessage();
  const faults = useMemo(() => faultsOf(draft, preview, inLanguage), [draft, preview, inLanguage]);
  const { parsed } = draft;
  if (view === 'json') {
    return (
      <JsonEditor
        label={translate('rules.page.jsonLabel')}
        text={draft.text.text}
        schema={schema}
        faults={faults}
        isReadOnly={isReadOnly}
        onChange={draft.setText}
      />
    );
  }
  if (!schema) return <Waiting />;
  if (!('rule' in parsed)) return <Alert severity="warning">{translate('rules.page.noJson')}</Alert>;
  if (view === 'tables') return <TablesView {...{ draft, tables, schema, isReadOnly }} rule={parsed.rule} />;
  return <RuleForm rule={parsed.rule} schema={schema} isReadOnly={isReadOnly} onChange={draft.change} />;
}

/** The faults and warnings of this rule, at their places in its text. */
function faultsOf(
  { path, text }: RuleDraft,
  preview: Preview | undefined,
  inLanguage: (message: ServiceMessage) => string,
) {
  const kinds = [
    ['error', preview?.errors ?? []],
    ['warning', preview?.warnings ?? []],
  ] as const;
  return kinds.flatMap(([severity, found]) =>
    found
      .filter(({ file }) => file === path)
      .flatMap((fault) => {
        const place = placeInRule(text, fault);
        return place ? [{ ...place, message: inLanguage(fault), severity }] : [];
      }),
  );
}
