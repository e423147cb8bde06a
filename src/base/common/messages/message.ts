import { type MessageId, type Messages, messages } from './messages';

/** A message in English, with what a translation needs: its id and its parameters. */
export interface Message {
  message: string;
  /** A {@link MessageId}; stored messages may have one of another version. */
  messageId?: string;
  params?: Params;
}

/** The parameters of a message by their names. One that is a message itself is translated too. */
export type Params = Readonly<Record<string, Param>>;

export type Param = string | number | Message;

/** The names of the parameters in a template: `id` of `there is no member {id}`. */
type NamesIn<Template extends string> = Template extends `${string}{${infer Inside}}${infer Rest}`
  ? NameAt<Inside, Rest> | NamesIn<Rest>
  : never;

/** What is in braces is a parameter only if it is a name; `{"$gt":5}` is an example of JSON. */
type NameAt<Inside extends string, Rest extends string> = Inside extends `${string}{${infer Inner}`
  ? NamesIn<`{${Inner}}${Rest}`>
  : Inside extends `${string}${' ' | '"' | ','}${string}`
    ? never
    : Inside;

export type ParamsOf<Id extends MessageId> = Readonly<Record<NamesIn<Messages[Id]>, Param>>;

/** Makes a message from its template. */
export function message<Id extends MessageId>(
  messageId: Id,
  ...[params]: NamesIn<Messages[Id]> extends never ? [] : [ParamsOf<Id>]
): Message {
  return params === undefined ? { message: messages[messageId], messageId } : filledMessage(messageId, params);
}

/** The same with parameters that the compiler cannot check, such as those of ajv's errors: the template may have fewer. */
export function filledMessage(messageId: MessageId, params: Params): Message {
  const template: string = messages[messageId];
  const used = Object.entries(params).filter(([name]) => template.includes(`{${name}}`));
  const text = fillTemplate(template, params);
  return { message: text, messageId, ...(used.length > 0 ? { params: Object.fromEntries(used) } : {}) };
}

/** The message of a fault without its other fields. */
export function pickMessage({ message: text, messageId, params }: Message): Message {
  return { message: text, ...(messageId === undefined ? {} : { messageId }), ...(params ? { params } : {}) };
}

/** Several messages in one, with `or`, a comma or a semicolon between them. */
export function joinMessages(between: 'or' | 'comma' | 'semicolon', all: readonly Message[]): Message {
  const [first = { message: '' }, ...others] = all;
  return others.reduce((before, next) => message(`words.${between}`, { before, next }), first);
}

/** Puts parameters into a template. */
function fillTemplate(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (mark, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return mark;
    return typeof value === 'object' ? value.message : String(value);
  });
}
