import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** The path of the page whose heading came last, and whether it is the first one of this tab. */
let last: { path: string; isFirst: boolean } | undefined;

/**
 * Moves the focus to the heading of a page that one has gone to, so that Tab continues from there and screen readers
 * say where one is. The first page begins at its top, as every page of the web; a field that took the focus keeps it.
 */
export function useFocusOnNavigation(heading: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const isSame = last?.path === pathname;
    if (!isSame) last = { path: pathname, isFirst: last === undefined };
    // A heading that comes again on the same page takes the focus only when it got lost with the one before.
    if (last?.isFirst || (isSame && document.activeElement !== document.body)) return;
    if (isTakenOnPage(document.activeElement)) return;
    heading.current?.focus({ preventScroll: true });
  }, [pathname, heading]);
}

function isTakenOnPage(focused: Element | null): boolean {
  return focused?.closest('main, [role="dialog"]') != null && focused.matches('input, textarea, [contenteditable]');
}
