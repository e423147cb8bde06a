import { malformed, ServiceError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { depthMax } from '#base/schema/freeObject';

/**
 * Bounds of the content of a JSON body, so that reading it does not delay other requests. Each element of a list of
 * bodies counts as one body.
 */
const bodyBounds = {
  /**
   * The most values of a body, or of one element of a list of bodies. A purchase of 1,000 lines with 30 values each
   * fits.
   */
  valuesMax: 30_000,
  /** The most objects and lists in all elements of a list of bodies. This bounds the memory that they take. */
  containersMax: 300_000,
  /** The most values in all elements of a list of bodies. */
  allValuesMax: 1_500_000,
} as const;

/** Bounds of a list of bodies. */
interface ListBounds {
  elementsMax: number;
  elementMaxBytes: number;
}

/**
 * Scans the bytes of a JSON body as they arrive, in one pass without recursion. It counts values and finds where the
 * elements of a list of bodies end. `JSON.parse` decides later whether the text is valid JSON.
 */
export class BodyScan {
  /** The first fault. The scan stops there. */
  fault: ServiceError | undefined;
  /**
   * Byte offsets of the brackets and commas around the elements of a list of bodies; empty when the body is not a list.
   */
  readonly ends: number[] = [];
  /** True after the end of the list of bodies. Only white space may follow. */
  isClosed = false;
  private offset = 0;
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  private values = 1;
  private allValues = 0;
  private containers = 0;

  constructor(private readonly list?: ListBounds) {}

  /** Scans the next bytes. */
  push(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length && !this.fault && !this.isClosed; index += 1) {
      const byte = chunk[index] ?? 0;
      if (!this.isText) this.look(byte, this.offset + index);
      else if (this.isEscaped) this.isEscaped = false;
      else if (byte === backslash) this.isEscaped = true;
      else if (byte === quote) this.isText = false;
    }
    this.offset += chunk.length;
  }

  private look(byte: number, at: number): void {
    if (byte === quote) this.isText = true;
    else if (byte === comma) this.separate(at);
    else if (byte === openBrace || byte === openBracket) this.open(byte, at);
    else if (byte === closeBrace || byte === closeBracket) this.close(byte, at);
  }

  private open(byte: number, at: number): void {
    this.depth += 1;
    this.containers += 1;
    if (this.depth > depthMax)
      this.fault = malformed(message('http.body', { fault: message('http.tooDeep', { max: depthMax }) }));
    if (this.list && this.depth === 1 && byte === openBracket && this.ends.length === 0) this.ends.push(at);
    this.count();
  }

  private separate(at: number): void {
    if (this.isInList()) this.endElement(at);
    else this.count();
  }

  private close(byte: number, at: number): void {
    if (this.isInList()) {
      this.endElement(at);
      this.isClosed = byte === closeBracket;
    }
    this.depth -= 1;
  }

  /** Tells whether the scan is directly in the list of bodies, not within an object or list of an element. */
  private isInList(): boolean {
    return this.depth === 1 && this.ends.length > 0;
  }

  private endElement(at: number): void {
    const bytes = at - (this.ends.at(-1) ?? 0) - 1;
    this.ends.push(at);
    this.allValues += this.values;
    this.values = 1;
    if (!this.list) return;
    const { elementsMax, elementMaxBytes } = this.list;
    if (this.ends.length - 1 > elementsMax)
      this.fault = malformed(message('http.body', { fault: message('http.tooManyElements', { max: elementsMax }) }));
    else if (bytes > elementMaxBytes) this.fault = tooLarge(message('http.elementTooLarge', { max: elementMaxBytes }));
  }

  private count(): void {
    this.values += 1;
    const { valuesMax, containersMax, allValuesMax } = bodyBounds;
    if (this.values > valuesMax) this.fault ??= tooLarge(message('http.tooManyValues', { max: valuesMax }));
    else if (this.containers > containersMax)
      this.fault ??= tooLarge(message('http.tooManyObjects', { max: containersMax }));
    else if (this.allValues > allValuesMax)
      this.fault ??= tooLarge(message('http.tooManyValues', { max: allValuesMax }));
  }
}

function tooLarge(fault: Message): ServiceError {
  return new ServiceError('tooLarge', message('http.body', { fault }));
}

const quote = 0x22;

const backslash = 0x5c;

const comma = 0x2c;

const openBrace = 0x7b;

const closeBrace = 0x7d;

const openBracket = 0x5b;

const closeBracket = 0x5d;
