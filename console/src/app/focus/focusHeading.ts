/** Moves the focus to the heading of the page, where what had it is gone: Tab continues from there. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}
