import type { Translation } from './german/messages/germanMessages';

/** A message of the service in English, with what a translation needs; a message of a rule has no id. */
export interface ServiceMessage {
  message: string;
  messageId?: string | undefined;
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** Messages in another language by their ids. */
export type Catalog = Readonly<Record<string, Translation | undefined>>;

/** A message by its id from a catalog. It stays English when the catalog, or the message, is incomplete. */
export function translated(serviceMessage: ServiceMessage, catalog: Catalog): string {
  const { message, messageId = '', params = {} } = serviceMessage;
  const translation = Object.hasOwn(catalog, messageId) ? catalog[messageId] : undefined;
  if (translation === undefined) return message;
  const texts = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      isMessage(value) ? translated(value, catalog) : String(value),
    ]),
  );
  if (typeof translation === 'function') return translation(texts);
  const isWhole = [...translation.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => Object.hasOwn(texts, name));
  return isWhole ? translation.replace(/\{(\w+)\}/g, (_mark, name: string) => texts[name] ?? '') : message;
}

function isMessage(value: unknown): value is ServiceMessage {
  return typeof value === 'object' && value !== null && 'message' in value;
}
