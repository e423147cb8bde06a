import Alert from '@mui/material/Alert';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import {
  AutocompleteArrayInput,
  Form,
  ReferenceArrayInput,
  SaveButton,
  useRecordContext,
  useTranslate,
} from 'react-admin';
import { useFormState } from 'react-hook-form';
import { Nothing } from '../../app/unread/Nothing';
import { Differences } from '../../definitions/form/Differences';
import { FieldInput } from '../../definitions/inputs/FieldInput';
import { initialOf } from '../../definitions/inputs/initialOf';
import type { Field } from '../../definitions/schema/shape';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';

/** The order in which people ask for fields. Further fields follow, the free ones last. */
const order = [
  'program',
  'loyaltyID',
  'firstName',
  'lastName',
  'email',
  'phone',
  'birthDate',
  'locale',
  'status',
  'type',
  'enrollChannel',
];

/** Fields that the form has no input for. */
const unshown = ['segments', 'enrolledAt', 'referredBy', 'familyHead'];

/** The fields that people change, in their order. */
function offeredOf(fields: readonly Field[]): Field[] {
  const place = ({ name, shape }: Field) => {
    const known = order.indexOf(name);
    if (known >= 0) return known;
    return order.length + (shape.kind === 'free' ? 1 : 0);
  };
  return fields.filter(({ name }) => !unshown.includes(name)).toSorted((one, other) => place(one) - place(other));
}

/** All fields that the form changes. */
export function memberFields(fields: readonly Field[]): Field[] {
  return [...offeredOf(fields), ...fields.filter(({ name }) => name === 'segments')];
}

interface MemberFormProps {
  fields: readonly Field[];
  /** What else belongs to the form. */
  children?: ReactNode;
}

/** The form of a member: who it is, its segments, what will change, and a button to save. */
export function MemberForm({ fields, children }: MemberFormProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const offered = offeredOf(fields);
  const record = useRecordContext();
  return (
    <Card sx={{ p: 2, maxWidth: 800 }}>
      <Form {...(record ? {} : { defaultValues: initialOf(offered) })} warnWhenUnsavedChanges>
        <Stack sx={{ gap: 2 }}>
          {offered.map((field) => (
            <FieldInput key={field.name} field={field} source={field.name} />
          ))}
          {may('segments:read') ? (
            <ReferenceArrayInput source="segments" reference="segments" perPage={100} filter={{ kind: 'Static' }}>
              <AutocompleteArrayInput
                label={label('segments')}
                optionText="name"
                noOptionsText={<Nothing>{translate('ra.navigation.no_results')}</Nothing>}
                fullWidth
              />
            </ReferenceArrayInput>
          ) : null}
        </Stack>
        <Stack sx={{ gap: 2, mt: 2, alignItems: 'flex-start' }}>
          <Faults names={offered.map(({ name }) => name)} />
          <Differences fields={memberFields(fields)} />
          <SaveButton label={translate('ra.action.save')} />
        </Stack>
        {children}
      </Form>
    </Card>
  );
}

/** Faults of fields within a field, such as `address.city`, and of those that are not shown. */
function Faults({ names }: { names: readonly string[] }) {
  const { errors } = useFormState();
  const label = useFieldLabel();
  return Object.entries(errors)
    .filter(([name, error]) => !names.includes(name) && typeof error?.message === 'string')
    .map(([name, error]) => (
      <Alert severity="error" key={name}>
        {label(name)}: {String(error?.message).replace(/^@@react-admin@@"(.*)"$/, '$1')}
      </Alert>
    ));
}
