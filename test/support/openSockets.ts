import { readFile } from 'node:fs/promises';

const listening = '0A';

/** Counts the connections to a local port for which the accepting process still has an open descriptor. */
export async function openSockets(port: number): Promise<number> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8')));
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return rows.filter((row) => {
    const [, address = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    return address.endsWith(local) && state !== listening && inode !== '0';
  }).length;
}
