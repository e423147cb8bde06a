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
import { useRuleOverview } from '../api/ruleApi';
import { newRuleText } from '../draft/ruleText';
import type { DraftStart } from '../draft/useRuleDraft';
import { FirstZone } from '../parts/FirstZone';
import { RuleEditor } from './RuleEditor';

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
  const [program, key, name] = ['program', 'key', 'name'].map((each) => search.get(each) ?? '');
  const start = useMemo(() => begun(program, key, name), [program, key, name]);
  if (!program || !key || !keyPattern.test(key)) {
    return <Beginning onBegin={(...chosen) => setSearch({ program: chosen[0], key: chosen[1], name: chosen[2] })} />;
  }
  return (
    <FirstZone program={program}>
      <RuleEditor program={program} name={key} stored={undefined} start={start} />
    </FirstZone>
  );
}

function begun(program = '', key = '', name = ''): DraftStart {
  const rule = {
    key,
    name,
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 1,
    conditions: { all: [] },
    actions: [],
  };
  return { path: `${program}/${key}.json`, hash: 'none', text: newRuleText(rule) };
}

function Beginning({ onBegin }: { onBegin(program: string, key: string, name: string): void }) {
  const translate = useTranslate();
  const { data: programs = [] } = usePrograms();
  const { data: overview } = useRuleOverview();
  const [chosen, setProgram] = useState<string>();
  const [name, setName] = useState('');
  const [typed, setKey] = useState<string>();
  const program = chosen ?? programs[0]?.code ?? '';
  const key = typed ?? keyOf(name);
  const isTaken = overview?.rules.some((rule) => rule.program === program && rule.key === key) ?? false;
  const isFit = keyPattern.test(key) && !isTaken && name !== '' && program !== '';
  return (
    <>
      <PageHeading title={translate('rules.new.title')} text={translate('rules.new.text')} />
      <Card
        component="form"
        sx={{ p: 2, maxWidth: 560 }}
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          if (isFit) onBegin(program, key, name);
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
