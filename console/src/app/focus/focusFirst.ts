const fields =
  'input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="file"]), textarea, [role="combobox"]';

/**
 * Moves the focus into a dialog that has opened: to its first field. A question that react-admin asks begins with the
 * button that does nothing, so that Enter pressed twice deletes nothing. Else the dialog itself keeps the focus.
 */
export function focusFirst(dialog: HTMLElement): void {
  const confirm = dialog.querySelector('.ra-confirm');
  const isChosen = dialog.contains(document.activeElement) && document.activeElement?.matches(`${fields}, button`);
  const first = confirm?.parentElement?.querySelector('button') ?? (isChosen ? null : dialog.querySelector(fields));
  if (first instanceof HTMLElement) first.focus();
}
