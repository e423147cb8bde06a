/** What a job did: its counts that are not zero. */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  const done = Object.entries(counts).filter(([, count]) => count > 0);
  return done.map(([name, count]) => `${name} ${count}`).join(', ');
}
