import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { fieldRow } from '../inputs/fieldRow';
import { JsonField } from '../inputs/JsonField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { emptyOf } from '../schema/emptyOf';
import type { NamedField } from '../schema/fieldShape';
import { AddField } from './AddField';
import { useFocusAdded } from './useFocusAdded';

interface ObjectFieldsProps {
  label?: string | undefined;
  /** Names what gets more fields, where it has no label. */
  part?: string;
  help?: string | undefined;
  path: (string | number)[];
  fields: readonly NamedField[];
  value: Readonly<Record<string, unknown>>;
}

/** The fields of an object that it has or needs, and a way to add the others. Fields that nobody knows are JSON. */
export function ObjectFields({ label, part = label ?? '', help, path, fields, value }: ObjectFieldsProps) {
  const fieldLabel = useFieldLabel();
  const { Field, change, isReadOnly } = useRuleForm();
  const [row, willAdd] = useFocusAdded();
  const shown = fields.filter(({ name, isRequired }) => isRequired || value[name] !== undefined);
  const others = fields.filter((field) => !shown.includes(field));
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(value).filter((name) => !known.has(name) && name !== 'type');
  return (
    <Stack sx={{ gap: 1.5 }} role={label ? 'group' : undefined} aria-label={label}>
      {label ? (
        <Typography variant="subtitle2" component="div">
          {label}
        </Typography>
      ) : null}
      {help && label ? (
        <Typography variant="caption" color="textSecondary">
          {help}
        </Typography>
      ) : null}
      <Stack direction="row" sx={fieldRow} ref={row}>
        {shown.map(({ name, shape, isOfOrg, texts }) => (
          <Field
            key={name}
            label={isOfOrg ? name : fieldLabel({ name, texts })}
            shape={shape}
            path={[...path, name]}
            value={value[name]}
          />
        ))}
        {unknown.map((name) => (
          <JsonField
            key={name}
            label={fieldLabel(name)}
            value={value[name]}
            isReadOnly={isReadOnly}
            onChange={(next) => change({ path: [...path, name], value: next })}
          />
        ))}
      </Stack>
      {isReadOnly || others.length === 0 ? null : (
        <AddField
          name={part}
          isNamed={label !== undefined}
          fields={others}
          onAdd={({ name, shape }) => {
            willAdd();
            change({ path: [...path, name], value: emptyOf(shape) });
          }}
        />
      )}
    </Stack>
  );
}
