import type { FormTexts } from '../../i18n/formTexts';
import { useDocument } from './document';

/** What the definition of a record says of its fields for forms, by their names. */
export function useFormTexts(record: string): Readonly<Record<string, FormTexts | undefined>> {
  const { properties = {} } = useDocument()?.components.schemas[record] ?? {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field['x-form']]));
}
