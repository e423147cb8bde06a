/** Ends what `globalSetup` started and deletes its data. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.stopTestServers?.();
}
