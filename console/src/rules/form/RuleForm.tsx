import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { ConditionsField } from '../conditions/ConditionsField';
import type { RuleFields } from '../draft/parsedRule';
import type { Change } from '../draft/ruleText';
import { fieldsOf } from '../schema/fieldShape';
import type { RuleSchema } from '../schema/knownFacts';
import { ActionsField } from './ActionsField';
import { ObjectFields } from './ObjectFields';
import { RuleTools } from './RuleTools';

/** The fields of a rule by what they are about, as the form shows them. */
const sections = {
  about: ['name', 'description', 'status'],
  when: ['activityTypes', 'effective', 'hours', 'schedule'],
  whom: ['segments', 'tiers'],
  limits: ['limits', 'budget'],
  order: ['priority', 'group', 'pick', 'stop', 'perLine', 'onReturn'],
  tests: ['tests'],
} as const;

/** Fields that are shown also when the rule does not have them. */
const always: readonly string[] = ['name', 'status', 'activityTypes', 'priority'];

interface RuleFormProps {
  rule: RuleFields;
  schema: RuleSchema;
  isReadOnly: boolean;
  onChange(change: Change): void;
}

/** A rule as a form. Every input changes its own part of the rule; all others stay as they are written. */
export function RuleForm({ rule, schema, isReadOnly, onChange }: RuleFormProps) {
  const translate = useTranslate();
  const known = new Set([...Object.values(sections).flat(), 'key', '$schema', 'conditions', 'actions', 'table']);
  const others = Object.keys(rule).filter((name) => !known.has(name as never));
  const fields = (section: keyof typeof sections) => (
    <OwnFields rule={rule} schema={schema} part={translate(`rules.form.${section}`)} names={sections[section]} />
  );
  return (
    <RuleTools schema={schema} isReadOnly={isReadOnly} onChange={onChange}>
      <Stack sx={{ gap: 3 }}>
        <Section name="about">{fields('about')}</Section>
        <Section name="when">{fields('when')}</Section>
        <Section name="whom">{fields('whom')}</Section>
        <Section name="conditions">
          <ConditionsField value={rule.conditions} />
        </Section>
        <Section name="actions">
          <ActionsField value={rule.actions} />
        </Section>
        <Section name="limits">{fields('limits')}</Section>
        <Section name="order">{fields('order')}</Section>
        <Section name="tests">{fields('tests')}</Section>
        {others.length > 0 ? (
          <Alert severity="info">{translate('rules.form.others', { names: others.join(', ') })}</Alert>
        ) : null}
      </Stack>
    </RuleTools>
  );
}

function Section({ name, children }: { name: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Box component="section" aria-labelledby={`rule-${name}`}>
      <Typography variant="h2" id={`rule-${name}`} sx={{ mb: 1 }}>
        {translate(`rules.form.${name}`)}
      </Typography>
      {children}
    </Box>
  );
}

interface OwnFieldsProps {
  rule: RuleFields;
  schema: RuleSchema;
  /** The heading of the section. */
  part: string;
  names: readonly string[];
}

/** Some fields of the rule itself. */
function OwnFields({ rule, schema, part, names }: OwnFieldsProps) {
  const fields = useMemo(() => {
    const all = fieldsOf(schema.$defs.rule ?? {}, schema, 'rule');
    return names.flatMap((name) => {
      const field = all.find((each) => each.name === name);
      return field ? [{ ...field, isRequired: always.includes(name) }] : [];
    });
  }, [schema, names]);
  const own = Object.fromEntries(names.flatMap((name) => (name in rule ? [[name, rule[name]]] : [])));
  return <ObjectFields part={part} path={[]} fields={fields} value={own} />;
}
