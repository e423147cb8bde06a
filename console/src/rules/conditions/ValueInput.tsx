import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { FactChoice } from '../inputs/FactChoice';
import { JsonField } from '../inputs/JsonField';
import { NumberField } from '../inputs/NumberField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { TextChoice } from '../inputs/TextChoice';
import { WordsField } from '../inputs/WordsField';
import { holds, namedField } from '../schema/conditionQuery';
import { isObject } from '../schema/fieldShape';
import { ofLists } from '../schema/fittingRows';
import { type Comparing, comparing } from '../schema/knownFacts';

interface ValueInputProps {
  /** What is compared, as the query builder names it. */
  field: string;
  operator: string;
  value: unknown;
  onChange(value: unknown): void;
}

/** What a fact is compared with: a value of its type, several, another fact, or JSON. */
export function ValueInput({ field, operator, value, onChange }: ValueInputProps) {
  const { schema } = useRuleForm();
  const named = namedField(field);
  if (operator === holds || 'condition' in named) return null;
  const compared = comparing(schema, named.fact, named.path);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: '2 1 200px', minWidth: 0 }}>
      <Editor value={value} operator={operator} compared={compared} onChange={onChange} />
    </Box>
  );
}

interface EditorProps {
  value: unknown;
  operator: string;
  compared: Comparing | undefined;
  onChange(value: unknown): void;
}

function Editor({ value, operator, compared, onChange }: EditorProps) {
  const translate = useTranslate();
  const { isReadOnly } = useRuleForm();
  const { kind = 'any', values = [] } = compared ?? {};
  const label = translate('rules.conditions.value');
  const shared = { label, isReadOnly };
  if (isObject(value) && 'fact' in value) return <FactChoice label={label} value={value} onChange={onChange} />;
  if (operator === 'isEmpty' || typeof value === 'boolean') return <YesOrNo value={value} onChange={onChange} />;
  if (ofLists.includes(operator) && Array.isArray(value) && value.every(isPlain)) {
    const isNumbers = kind === 'number' || value.some((each) => typeof each === 'number');
    return (
      <WordsField<string | number>
        {...shared}
        value={value}
        values={isNumbers ? [] : values}
        isClosed={false}
        read={(text) => (isNumbers && Number.isFinite(Number(text)) ? Number(text) : text)}
        onChange={(next) => onChange(next ?? [])}
      />
    );
  }
  if (ofLists.includes(operator) && !Array.isArray(value)) {
    return <JsonField {...shared} value={value} onChange={onChange} />;
  }
  if (typeof value === 'number')
    return <NumberField {...shared} value={value} onChange={(next) => onChange(next ?? 0)} />;
  if (typeof value === 'string' && kind !== 'number') {
    return (
      <TextChoice
        {...shared}
        value={value}
        values={values}
        isClosed={false}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  }
  return <JsonField {...shared} value={value} onChange={onChange} />;
}

function YesOrNo({ value, onChange }: Pick<EditorProps, 'value' | 'onChange'>) {
  const translate = useTranslate();
  const { isReadOnly } = useRuleForm();
  return (
    <TextField
      select
      label={translate('rules.conditions.value')}
      value={value === true ? 'true' : 'false'}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value === 'true')}
      sx={{ minWidth: 100 }}
    >
      <MenuItem value="true">{translate('ra.boolean.true')}</MenuItem>
      <MenuItem value="false">{translate('ra.boolean.false')}</MenuItem>
    </TextField>
  );
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
