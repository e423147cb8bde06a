import { firstLine } from './readPassword';
import type { CommandStreams } from './runCommand';

/** Asks a question, and tells whether the first line of the input says yes. The end of the input means no. */
export async function confirmed({ input, err }: CommandStreams, question: string): Promise<boolean> {
  err(`${question} Type yes:`);
  return /^y(?:es)?$/i.test((await firstLine(input, false)).trim());
}
