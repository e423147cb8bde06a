import { Writable } from 'node:stream';
import { Presets, SingleBar } from 'cli-progress';
import type { CommandStreams } from './runCommand';

/** Makes a progress bar. Without a terminal, it writes a plain line without the bar every 5 s instead. */
export function progressBar(format: string, streams: CommandStreams): SingleBar {
  const isTerminal = process.stderr.isTTY;
  const stream = isTerminal ? process.stderr : linesTo(streams);
  const shown = isTerminal ? format : format.replace('{bar} ', '');
  return new SingleBar({ format: shown, stream, noTTYOutput: true, notTTYSchedule: 5000 }, Presets.shades_classic);
}

function linesTo({ err }: CommandStreams): Writable & { isTTY?: boolean } {
  return new Writable({
    write(chunk, _encoding, done) {
      const line = String(chunk).trim();
      if (line !== '') err(line);
      done();
    },
  });
}
