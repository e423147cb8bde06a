/**
 * Gives a process the time that stands in the file CLOCK_FILE: a number of milliseconds since 1970, as 8 bytes. The time
 * stands still between two writes. All processes with this file move at the same moment.
 */
const { openSync, readSync } = require('node:fs');

const file = openSync(process.env.CLOCK_FILE, 'r');
const moment = new Float64Array(1);
const RealDate = Date;

function now() {
  readSync(file, moment, 0, 8, 0);
  return moment[0];
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};
