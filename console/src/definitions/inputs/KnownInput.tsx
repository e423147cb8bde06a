import { AutocompleteArrayInput, AutocompleteInput, type Validator } from 'react-admin';
import { currentSession } from '../../session/session';
import { serviceZone } from '../../time/serviceZone';

/** Choices of fields without a list of values in their schema, by the name of the field. */
export const knownChoices: Readonly<Record<string, { read(): readonly string[]; isList?: boolean }>> = {
  timezone: { read: () => ['UTC', ...Intl.supportedValuesOf('timeZone').map(serviceZone)] },
  currencyCode: { read: () => Intl.supportedValuesOf('currency') },
  // Nobody grants what they do not have.
  permissions: { read: () => currentSession()?.permissions ?? [], isList: true },
};

interface KnownInputProps {
  name: string;
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/** An input that offers the values of {@link knownChoices}. */
export function KnownInput({ name, ...props }: KnownInputProps) {
  const { read, isList } = knownChoices[name] ?? { read: () => [] };
  const choices = read().map((id) => ({ id, name: id }));
  return isList ? (
    <AutocompleteArrayInput {...props} choices={choices} translateChoice={false} fullWidth />
  ) : (
    <AutocompleteInput {...props} choices={choices} translateChoice={false} fullWidth />
  );
}
