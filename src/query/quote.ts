const shownMax = 100;

/** A name or value sent by a client, as it may stand in a message: quoted, escaped, at most 100 characters. */
export function quote(sent: string): string {
  return JSON.stringify(sent.length > shownMax ? `${sent.slice(0, shownMax)}…` : sent);
}
