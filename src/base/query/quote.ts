const shownMax = 100;

/** Quotes and escapes a name or value from a client for a message; it is cut to 100 characters. */
export function quote(sent: string): string {
  return JSON.stringify(sent.length > shownMax ? `${sent.slice(0, shownMax)}…` : sent);
}
