import type { FormTexts } from '../../i18n/formTexts';

/** What inputs have in common that propose values. */
export interface ProposingInput {
  label: string;
  /** No other values are allowed. */
  isClosed: boolean;
  /** The values that are said in words; the others are shown as they are written. Default: none. */
  labelled?: readonly string[];
  /** What the definition of the field says of its values. */
  texts?: FormTexts | undefined;
  help?: string | undefined;
  isReadOnly?: boolean;
}
