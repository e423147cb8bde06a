import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { useHelp } from '../../i18n/useHelp';
import { JsonField } from '../inputs/JsonField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { emptyOf } from '../schema/emptyOf';
import { fieldsOf, isObject } from '../schema/fieldShape';
import { actionTypes, type RuleSchema } from '../schema/knownFacts';
import { ObjectFields } from './ObjectFields';
import { useFocusAdded } from './useFocusAdded';

/** What happens when the rule fires: a list of actions, each with its params. */
export function ActionsField({ value }: { value: unknown }) {
  const translate = useTranslate();
  const { schema, change, isReadOnly } = useRuleForm();
  const [list, willAdd] = useFocusAdded();
  const actions = Array.isArray(value) ? value : [];
  return (
    <Stack sx={{ gap: 1.5 }} ref={list}>
      {actions.map((action: unknown, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: actions have no ids; their places are what they are
        <Card key={index} sx={{ p: 1.5, display: 'flex', gap: 1, alignItems: 'flex-start' }}>
          <Stack sx={{ flex: 1, gap: 1.5, minWidth: 0 }}>
            <Action action={action} index={index} />
          </Stack>
          {isReadOnly ? null : (
            <IconButton
              aria-label={translate('rules.form.removeItem', {
                name: `${translate('rules.form.action')} ${index + 1}`,
              })}
              onClick={() => change({ path: ['actions', index], value: undefined })}
            >
              <DeleteIcon />
            </IconButton>
          )}
        </Card>
      ))}
      {isReadOnly ? null : (
        <Button
          size="small"
          startIcon={<AddIcon />}
          sx={{ alignSelf: 'flex-start' }}
          onClick={() => {
            willAdd();
            change({ path: ['actions'], value: [...actions, newAction(schema, 'addPoints')] });
          }}
        >
          {translate('rules.form.addAction')}
        </Button>
      )}
    </Stack>
  );
}

function Action({ action, index }: { action: unknown; index: number }) {
  const translate = useTranslate();
  const help = useHelp();
  const { schema, change, isReadOnly } = useRuleForm();
  const label = `${translate('rules.form.action')} ${index + 1}`;
  const path = ['actions', index];
  if (!isObject(action) || typeof action.type !== 'string') {
    return (
      <JsonField
        label={label}
        value={action}
        isReadOnly={isReadOnly}
        onChange={(next) => change({ path, value: next })}
      />
    );
  }
  const { type } = action;
  const known = actionTypes(schema);
  const types = known.some(({ name }) => name === type) ? known : [{ name: type, description: '' }, ...known];
  return (
    <>
      <TextField
        select
        label={label}
        value={type}
        disabled={isReadOnly}
        helperText={help({ path: type, description: known.find(({ name }) => name === type)?.description })}
        onChange={({ target }) => change({ path, value: newAction(schema, target.value) })}
        sx={{ maxWidth: 560 }}
      >
        {types.map(({ name }) => (
          <MenuItem key={name} value={name}>
            {translate(`rules.actions.${name}`, { _: name })}
          </MenuItem>
        ))}
      </TextField>
      <ObjectFields part={label} path={path} fields={fieldsOf(schema.$defs[type] ?? {}, schema, type)} value={action} />
    </>
  );
}

/** An action with the params that it needs. */
export function newAction(schema: RuleSchema, type: string): Record<string, unknown> {
  const needed = fieldsOf(schema.$defs[type] ?? {}, schema, type).filter(({ isRequired }) => isRequired);
  return { type, ...Object.fromEntries(needed.map(({ name, shape }) => [name, emptyOf(shape)])) };
}
