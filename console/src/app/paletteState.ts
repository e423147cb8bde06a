let isOpen = false;
const listeners = new Set<() => void>();

/** Opens the command palette. */
export function openPalette(): void {
  set(true);
}

/** Closes the command palette. */
export function closePalette(): void {
  set(false);
}

/** Tells whether the command palette is open. */
export function isPaletteOpen(): boolean {
  return isOpen;
}

/** Calls a listener whenever {@link isPaletteOpen} changes; returns what stops that. */
export function onPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}
