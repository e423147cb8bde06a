import { ServiceError } from '#base/common/errors';
import { type Message, message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { readJson } from '#platform/http/body/readBody';
import { importLimits } from '../importLimits';
import { withoutMark } from './csvRows';
import { filePieces } from './filePieces';
import type { FileRow } from './fileRow';

/** Reads a file with a JSON object on each line. Lines without text are no rows. */
export async function* ndjsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<FileRow, void, undefined> {
  for await (const { bytes, line, end } of splitLines(filePieces(withoutMark(source)))) {
    if (!bytes) yield { line, end, kept: undefined, faults: fault('maxLength', message('imports.rowTooLarge')) };
    else if (!isBlank(bytes)) yield { line, end, ...ndjsonRow(bytes) };
  }
}

function ndjsonRow(bytes: Buffer): Pick<FileRow, 'kept' | 'value' | 'faults'> {
  const kept = bytes.length <= importLimits.keptRowMaxBytes ? { text: bytes.toString('utf8').trim() } : undefined;
  try {
    const value = readJson(bytes);
    return isPlainObject(value) ? { kept, value } : { kept, faults: fault('type', message('imports.rowNotObject')) };
  } catch (error) {
    if (error instanceof ServiceError) return { kept, faults: fault('json', withoutBody(error)) };
    throw error;
  }
}

function fault(kind: string, what: Message) {
  return [{ path: '', kind, ...what }];
}

interface Line {
  /** Without the line break; undefined when the line is too long. */
  bytes: Buffer | undefined;
  line: number;
  end: number;
}

/** Divides a file into lines. It holds no more of a line than a row may have. */
async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Line, void, undefined> {
  let [line, end, length] = [1, 0, 0];
  let buffered: Buffer[] = [];
  const add = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= importLimits.rowMaxBytes) buffered.push(bytes);
    else buffered = [];
  };
  const take = (): Line => {
    const bytes = length <= importLimits.rowMaxBytes ? Buffer.concat(buffered) : undefined;
    const taken = { bytes, line, end };
    [buffered, length, line] = [[], 0, line + 1];
    return taken;
  };
  let isAfterReturn = false;
  for await (const part of source) {
    let start = 0;
    for (let at = breakIn(part, 0); at !== -1; at = breakIn(part, start)) {
      // The line feed of a pair ends the line that the carriage return has ended.
      const isSecond = isAfterReturn && at === start && part[at] === 10;
      isAfterReturn = part[at] === 13;
      add(part.subarray(start, at));
      end += at + 1 - start;
      start = at + 1;
      if (!isSecond) yield take();
    }
    if (start < part.length) isAfterReturn = false;
    add(part.subarray(start));
    end += part.length - start;
  }
  if (length > 0) yield take();
}

/** Where a line ends: at a line feed or a carriage return, which no JSON text contains within its line. */
function breakIn(part: Buffer, from: number): number {
  const feed = part.indexOf(10, from);
  const carriage = part.subarray(from, feed === -1 ? part.length : feed).indexOf(13);
  return carriage === -1 ? feed : from + carriage;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** What is wrong with a value that was read like a body, of which the message speaks. */
export function withoutBody(error: ServiceError): Message {
  const fault = error.params?.fault;
  return typeof fault === 'object' ? fault : pickMessage(error);
}
