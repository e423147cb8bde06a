import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import { DeleteWithConfirmButton, SaveButton, useRecordContext, useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import type { DefinitionName } from '../definitionNames';
import { titleOf } from '../definitionViews';
import type { Field } from '../schema/shape';
import { Differences } from './Differences';

interface FormBarProps {
  name: DefinitionName;
  fields: readonly Field[];
}

/** The end of a form: faults that no input shows, what will change, and the buttons to save and delete. */
export function FormBar({ name, fields }: FormBarProps) {
  const translate = useTranslate();
  const record = useRecordContext();
  const one = translate(`resources.${name}.name`, { smart_count: 1 });
  const title = titleOf(name, record);
  return (
    <Stack sx={{ gap: 2, mt: 2 }}>
      <Faults fields={fields} />
      {record ? <Differences fields={fields} /> : null}
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1 }}>
        {may(`${name}:${record ? 'update' : 'create'}`) ? <SaveButton /> : <span />}
        {record && may(`${name}:delete`) ? (
          <DeleteWithConfirmButton
            resource={name}
            redirect={`/definitions/${name}`}
            mutationMode="pessimistic"
            confirmTitle={translate('definitions.delete.title', { name: one, title })}
            confirmContent={translate('definitions.delete.text')}
          />
        ) : null}
      </Stack>
    </Stack>
  );
}

/** Faults of fields that the form has no input for, such as those of a whole list. */
function Faults({ fields }: { fields: readonly Field[] }) {
  const { errors } = useFormState();
  const label = useFieldLabel();
  const shown = new Set(fields.map(({ name }) => name));
  const others = Object.entries(errors).filter(
    ([name, error]) => !shown.has(name) && typeof error?.message === 'string',
  );
  return others.map(([name, error]) => (
    <Alert severity="error" key={name}>
      {label(name)}: {String(error?.message).replace(/^@@react-admin@@"(.*)"$/, '$1')}
    </Alert>
  ));
}
