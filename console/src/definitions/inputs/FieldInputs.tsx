import Stack from '@mui/material/Stack';
import type { Field } from '../schema/shape';
import { FieldInput } from './FieldInput';

/** The inputs of a form, one below the other; fields of one's own come last. */
export function FieldInputs({ fields }: { fields: readonly Field[] }) {
  const inOrder = [...fields.filter(({ name }) => name !== 'ext'), ...fields.filter(({ name }) => name === 'ext')];
  return (
    <Stack sx={{ gap: 2 }}>
      {inOrder.map((field) => (
        <FieldInput key={field.name} field={field} source={field.name} />
      ))}
    </Stack>
  );
}
