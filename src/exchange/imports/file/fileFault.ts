import type { Message } from '#base/common/messages/message';

/** A fault because of which a file cannot be read any further. Its message is for the author of the file. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(readonly fault: Message) {
    super(fault.message);
  }
}
