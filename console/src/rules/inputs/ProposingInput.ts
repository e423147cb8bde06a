/** What inputs have in common that propose values. */
export interface ProposingInput {
  label: string;
  /** No other values are allowed. */
  isClosed: boolean;
  /** The values that are said in words; the others are shown as they are written. Default: none. */
  labelled?: readonly string[];
  help?: string | undefined;
  isReadOnly?: boolean;
}
