import { type Message, message } from '#base/common/messages/message';

/** The text of a file, or why it has none. */
export function fileText(bytes: Buffer): { text: string } | { fault: Message } {
  const text = decode(bytes);
  if (text !== undefined) return { text };
  return { fault: message(isUtf16(bytes) ? 'ruleFiles.utf16' : 'ruleFiles.notUtf8') };
}

/** Detects UTF-16 by its byte order mark, or by a zero byte: one of the first two bytes of JSON in UTF-16 is zero. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0) !== (second === 0);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | undefined {
  // UTF-16 without a mark may be valid UTF-8 with zero bytes. JSON has no zero bytes.
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
