import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useRuleForm } from '../inputs/RuleFormContext';
import { emptyOf } from '../schema/emptyOf';
import type { FieldShape } from '../schema/fieldShape';
import { useFocusAdded } from './useFocusAdded';

interface ListFieldsProps {
  label: string;
  help?: string | undefined;
  path: (string | number)[];
  item: FieldShape;
  value: readonly unknown[];
}

/** A list of parts of a rule, each of which can be changed and removed. */
export function ListFields({ label, help, path, item, value }: ListFieldsProps) {
  const translate = useTranslate();
  const { Field, change, isReadOnly } = useRuleForm();
  const [list, willAdd] = useFocusAdded();
  return (
    <Stack sx={{ gap: 1 }} role="group" aria-label={label} ref={list}>
      <Typography variant="subtitle2" component="div">
        {label}
      </Typography>
      {help ? (
        <Typography variant="caption" color="textSecondary">
          {help}
        </Typography>
      ) : null}
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a rule have no ids; their places are what they are
        <Card key={index} sx={{ p: 1.5, display: 'flex', gap: 1, alignItems: 'flex-start' }}>
          <Stack sx={{ flex: 1, minWidth: 0 }}>
            <Field shape={item} label={`${label} ${index + 1}`} path={[...path, index]} value={each} />
          </Stack>
          {isReadOnly ? null : (
            <IconButton
              aria-label={translate('rules.form.removeItem', { name: `${label} ${index + 1}` })}
              onClick={() => change({ path: [...path, index], value: undefined })}
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
            change({ path, value: [...value, newItem(path, item)] });
          }}
        >
          {translate('rules.form.addTo', { name: label })}
        </Button>
      )}
    </Stack>
  );
}

/** A part to begin with. A test begins as what most tests are: an activity, and the points that it must give. */
function newItem(path: readonly (string | number)[], item: FieldShape): unknown {
  if (path.join('.') !== 'tests') return emptyOf(item);
  return { name: '', activity: { type: 'Accrual', value: 100 }, expect: { points: {} } };
}
