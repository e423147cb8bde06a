import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { useHelp } from '../../i18n/useHelp';
import { JsonField } from '../inputs/JsonField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { fieldsOf, isObject } from '../schema/fieldShape';
import { actionTypes } from '../schema/knownFacts';
import { newAction } from '../schema/newAction';
import { ObjectFields } from './ObjectFields';

/** What one action of the rule does, and its params. */
export function ActionFields({ action, index }: { action: unknown; index: number }) {
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
