import type { MessageId } from '../../../../../src/base/common/messages/messages';

/** A translation: a text with the parameters of the English one, or what makes it from them. */
export type Translation = string | ((params: Readonly<Record<string, string>>) => string);

/** Messages of the service in German, by their ids. One that has none is shown in English; a test names such messages. */
export type GermanMessages = { readonly [Id in MessageId]?: Translation };
