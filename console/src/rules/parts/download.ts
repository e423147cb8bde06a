import { saveFile } from '../../app/saveFile';

/** Gives a text to the browser as a file to save. */
export function download(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'application/octet-stream' }));
}
