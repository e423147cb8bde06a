const place = 'loyalty-console-reloaded';

/** How long a page that was loaded again is not loaded once more, in milliseconds. */
const pauseMs = 60_000;

/**
 * Loads the page again when a file of it is missing: after an upgrade, an open page names files that are gone, and the
 * new page names the new ones. It does so once in a minute: where a file stays away, the page shows the error instead
 * of loading for ever.
 */
export function reloadOnce(): void {
  const before = Number(sessionStorage.getItem(place) ?? 0);
  if (Date.now() - before < pauseMs) return;
  sessionStorage.setItem(place, String(Date.now()));
  location.reload();
}
