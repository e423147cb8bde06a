/** How dates may be written in a file, as far as its cells tell. */
export interface DateForm {
  /** The format in which all dates are, as an import takes it; undefined when no one format fits. */
  dateFormat?: string;
  /** The days and months could stand in either order. */
  isDoubtful: boolean;
}

const day = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/;
const time = /^(\d{1,2}):\d\d(:\d\d)?$/;

/** The parts of a date: first, sign, second and last number, hour and seconds. */
function partsOf(cell: string): (string | undefined)[] | undefined {
  const [date = '', clock, ...more] = cell.trim().split(/[ T]+/, 3);
  const found = day.exec(date);
  const hours = clock === undefined ? [] : time.exec(clock);
  return found && hours && more.length === 0 ? [...found, ...hours.slice(1)] : undefined;
}

/** Tells in which format the dates of some cells are. Dates as the service writes them need none. */
export function dateFormOf(cells: readonly string[]): DateForm {
  const dates = cells.map(partsOf).filter((found) => found !== undefined);
  const own = dates.filter(([, first = '', sign]) => !(first.length === 4 && sign === '-'));
  const [date] = own;
  if (!date) return { isDoubtful: false };
  const [, first = '', sign = '', , last = '', hour, second] = date;
  const wide = (place: number, letter: string) => letter.repeat(own.every((each) => each[place]?.length !== 1) ? 2 : 1);
  const tail = hour === undefined ? '' : ` ${wide(5, 'H')}:mm${second === undefined ? '' : ':ss'}`;
  if (first.length === 4)
    return { dateFormat: `yyyy${sign}${wide(3, 'M')}${sign}${wide(4, 'd')}${tail}`, isDoubtful: false };
  if (last.length !== 4) return { isDoubtful: false };
  const isOver12 = (place: number) => own.some((each) => Number(each[place]) > 12);
  if (sign === '.' || isOver12(1)) {
    return { dateFormat: `${wide(1, 'd')}${sign}${wide(3, 'M')}${sign}yyyy${tail}`, isDoubtful: false };
  }
  if (isOver12(3)) return { dateFormat: `${wide(1, 'M')}${sign}${wide(3, 'd')}${sign}yyyy${tail}`, isDoubtful: false };
  return { isDoubtful: true };
}

/**
 * Tells whether decimals of some cells have a comma or a point. Undefined when no cell tells it: `1,000` may be one, or a
 * thousand.
 */
export function decimalCommaOf(cells: readonly string[]): boolean | undefined {
  const isSure = (cell: string, sign: string) => {
    const digits = cell.trim().replace(/^[-+]/, '').split(sign);
    return digits.length === 2 && digits.every((each) => /^\d+$/.test(each)) && digits[1]?.length !== 3;
  };
  const commas = cells.some((cell) => isSure(cell, ','));
  const points = cells.some((cell) => isSure(cell, '.'));
  return commas && !points ? true : undefined;
}
