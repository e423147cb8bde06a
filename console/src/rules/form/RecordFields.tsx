import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { fieldRow } from '../inputs/fieldRow';
import { useRuleForm } from '../inputs/RuleFormContext';
import { TextChoice } from '../inputs/TextChoice';
import { emptyOf } from '../schema/emptyOf';
import type { FieldShape } from '../schema/fieldShape';

interface RecordFieldsProps {
  label: string;
  path: (string | number)[];
  shape: Extract<FieldShape, { kind: 'record' }>;
  value: Readonly<Record<string, unknown>>;
}

/** Values by names that the rule chooses, such as points by purse. An empty value removes its name. */
export function RecordFields({ label, path, shape, value }: RecordFieldsProps) {
  const translate = useTranslate();
  const { Field, change, isReadOnly } = useRuleForm();
  const [name, setName] = useState('');
  const others = shape.names.filter((each) => !(each in value));
  const isNew = name !== '' && !(name in value);
  return (
    <Stack sx={{ gap: 1 }} role="group" aria-label={label}>
      <Typography variant="subtitle2" component="div">
        {label}
      </Typography>
      <Stack direction="row" sx={fieldRow}>
        {Object.entries(value).map(([each, own]) => (
          <Field key={each} shape={shape.item} label={each} path={[...path, each]} value={own} />
        ))}
      </Stack>
      {isReadOnly ? null : (
        <Stack direction="row" sx={fieldRow}>
          <TextChoice
            label={translate('rules.form.nameOf', { name: label })}
            value={name}
            values={others}
            isClosed={false}
            onChange={(next) => setName(next ?? '')}
          />
          <Button
            size="small"
            disabled={!isNew}
            onClick={() => {
              change({ path: [...path, name], value: emptyOf(shape.item) });
              setName('');
            }}
          >
            {translate('rules.form.addTo', { name: label })}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}
