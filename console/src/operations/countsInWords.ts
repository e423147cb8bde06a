type Translate = (key: string, options?: Record<string, unknown>) => string;

/** What a job did: its counts that are not zero. */
export function countsInWords(counts: Readonly<Record<string, number>>, translate: Translate): string {
  const done = Object.entries(counts).filter(([, count]) => count > 0);
  return done.map(([name, count]) => `${translate(`operations.counts.${name}`, { _: name })} ${count}`).join(', ');
}
