import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { useTranslate } from 'react-admin';
import { useRuleForm } from '../inputs/RuleFormContext';
import { newAction } from '../schema/newAction';
import { ActionFields } from './ActionFields';
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
            <ActionFields action={action} index={index} />
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
