/** A row of inputs that share its width; further rows follow where it is narrow. */
export const fieldRow = {
  gap: 1.5,
  flexWrap: 'wrap',
  alignItems: 'flex-start',
  '& > *': { minWidth: 0, maxWidth: '100%' },
  '& > .MuiFormControl-root, & > .MuiAutocomplete-root': { flex: '1 1 160px', width: 'auto' },
} as const;
