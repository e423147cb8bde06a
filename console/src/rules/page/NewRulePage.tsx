import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { Permitted } from '../../app/Permitted';
import { usePrograms } from '../api/programs';
import { useRuleOverview, useRuleSchema } from '../api/ruleApi';
import { newRuleText } from '../draft/ruleText';
import { type TemplateName, templateNames, templateRule } from '../draft/templates';
import type { DraftStart } from '../draft/useRuleDraft';
import { FirstZone } from '../parts/FirstZone';
import { Waiting } from '../parts/Waiting';
import { fieldsOf } from '../schema/fieldShape';
import { type RuleSchema, valuesIn } from '../schema/knownFacts';
import { RuleEditor } from './RuleEditor';
import { TemplateChoice } from './TemplateChoice';

/** The page of a new rule: first its program, key and name, then the rule itself. */
export default function NewRulePage() {
  return (
    <Permitted anyOf={['rules:check']}>
      <NewRule />
    </Permitted>
  );
}

const keyPattern = /^[a-z0-9][\w-]{0,99}$/i;

/** The address has the beginning, so that the page can be left and found again. */
function NewRule() {
  const [search, setSearch] = useSearchParams();
  const chosen = useMemo(() => chosenBy(search), [search]);
  const { program, key } = chosen;
  const { data: schema } = useRuleSchema();
  const start = useMemo(() => schema && begun(chosen, schema), [chosen, schema]);
  if (!program || !key || !keyPattern.test(key)) return <Beginning onBegin={(chosen) => setSearch({ ...chosen })} />;
  if (!start) return <Waiting />;
  return (
    <FirstZone program={program}>
      <RuleEditor program={program} name={key} stored={undefined} start={start} />
    </FirstZone>
  );
}

interface Chosen {
  program: string;
  key: string;
  name: string;
  template: string;
}

function chosenBy(search: URLSearchParams): Chosen {
  const part = (name: keyof Chosen) => search.get(name) ?? '';
  return { program: part('program'), key: part('key'), name: part('name'), template: part('template') };
}

function begun({ program, key, name, template }: Chosen, schema: RuleSchema): DraftStart {
  const purse = actionPurses(schema)[0] ?? '';
  const level = namesOfLevels(schema)[0];
  const chosen = templateNames.find((each) => each === template) ?? 'empty';
  const rule = { key, name, status: 'active', ...templateRule(chosen, { purse, level }) };
  return { path: `${program}/${key}.json`, hash: 'none', text: newRuleText(rule) };
}

/** The purses that `addPoints` may name, the primary one first. */
function actionPurses(schema: RuleSchema): string[] {
  const purse = fieldsOf(schema.$defs.addPoints ?? {}, schema, 'addPoints').find(({ name }) => name === 'purse');
  return purse?.shape.kind === 'text' ? [...purse.shape.values] : [];
}

function namesOfLevels(schema: RuleSchema): string[] {
  return valuesIn(schema.$defs.rule?.properties?.tiers);
}

function Beginning({ onBegin }: { onBegin(chosen: Chosen): void }) {
  const translate = useTranslate();
  const { data: programs = [] } = usePrograms();
  const { data: overview } = useRuleOverview();
  const [chosen, setProgram] = useState<string>();
  const [name, setName] = useState('');
  const [typed, setKey] = useState<string>();
  const [template, setTemplate] = useState<TemplateName>('base');
  const program = chosen ?? programs[0]?.code ?? '';
  const key = typed ?? keyOf(name);
  const isTaken = overview?.rules.some((rule) => rule.program === program && rule.key === key) ?? false;
  const isFit = keyPattern.test(key) && !isTaken && name !== '' && program !== '';
  return (
    <>
      <PageHeading title={translate('rules.new.title')} text={translate('rules.new.text')} />
      <Card
        component="form"
        sx={{ p: 2, maxWidth: 880 }}
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          if (isFit) onBegin({ program, key, name, template });
        }}
      >
        <Stack sx={{ gap: 2 }}>
          <TextField
            select
            label={translate('rules.fields.program')}
            value={program}
            onChange={({ target }) => setProgram(target.value)}
          >
            {programs.map((each) => (
              <MenuItem key={each._id} value={each.code}>
                {each.name}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            label={translate('rules.new.name')}
            required
            value={name}
            helperText={translate('rules.new.nameHelp')}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={translate('rules.new.key')}
            required
            value={key}
            error={key !== '' && (!keyPattern.test(key) || isTaken)}
            helperText={translate(isTaken ? 'rules.new.taken' : 'rules.new.keyHelp')}
            onChange={({ target }) => setKey(target.value)}
          />
          <TemplateChoice value={template} onChange={setTemplate} />
          <Button type="submit" variant="contained" disabled={!isFit} sx={{ alignSelf: 'flex-start' }}>
            {translate('rules.new.begin')}
          </Button>
        </Stack>
      </Card>
    </>
  );
}

/** A key made from a name: `Double points on Sunday` is `double-points-on-sunday`. */
function keyOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
