import { terminalText } from './terminalText';

/** Receives what a start is doing; an update replaces the update before it where the output allows that. */
export type OnProgress = (line: string, isUpdate?: boolean) => void;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const PLAIN_UPDATE_INTERVAL_MS = 5000;
const CLEAR_LINE = '\r\u001b[2K';

/** Gives an `OnProgress` that keeps one updating line on a terminal, and writes a plain line every 5 s elsewhere. */
export function progressTo(output: Output, now: () => number = Date.now): OnProgress {
  let isOnUpdate = false;
  let lastUpdateMs = 0;
  return (text, isUpdate = false) => {
    const line = terminalText(text);
    if (output.isTTY) {
      output.write(`${isOnUpdate ? CLEAR_LINE : ''}${line}${isUpdate ? '' : '\n'}`);
      isOnUpdate = isUpdate;
      return;
    }
    if (isUpdate && now() - lastUpdateMs < PLAIN_UPDATE_INTERVAL_MS) return;
    if (isUpdate) lastUpdateMs = now();
    output.write(`${line}\n`);
  };
}
