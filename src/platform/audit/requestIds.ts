const importPrefix = 'import-';

/** The request id of what an import writes, in the audit log. It leads to the import. */
export function requestIdOfImport(id: string): string {
  return `${importPrefix}${id}`;
}

/** Tells whether a request id looks like one that the service makes for its own work. Clients may not send it. */
export function isReservedRequestId(sent: string): boolean {
  return sent.toLowerCase().startsWith(importPrefix);
}
