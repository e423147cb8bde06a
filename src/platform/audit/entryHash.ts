import { hash } from 'node:crypto';
import { canonicalJson } from '#base/common/canonicalJson';
import type { AuditEntry } from '#records/users/auditEntry';

/** What the hash of the first entry of a log continues. */
export const noHash = '';

/** The hash of an entry: SHA-256 over the hash of the entry before and the canonical JSON of all other fields. */
export function entryHash(
  previousHash: string,
  { hash: _own, ...entry }: Omit<AuditEntry, 'hash'> & { hash?: string },
) {
  return hash('sha256', `${previousHash}\n${canonicalJson(inJson(entry))}`, 'hex');
}

/** A value as JSON has it: instants and ids are strings, and fields without a value are missing. */
export function inJson(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
