/** How dates may be written in a file, as far as its cells tell. */
export interface DateForm {
  /** The format in which all dates are, as an import takes it; undefined when they need none, or no one format fits. */
  dateFormat?: string;
  /** Why there is no format: days and months could be in either order, or the dates are written in several ways. */
  doubt?: 'order' | 'mixed';
}

const day = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})$/;
const time = /^(\d{1,2}):\d\d(:\d\d)?$/;

/** What the service reads in columns of instants and of days without a format. */
const plainMoment = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/;
const plainDay = /^\d{4}-\d\d-\d\d$/;

/** A date as it is written. The hour is empty when it has no time. */
interface WrittenDate {
  first: string;
  sign: string;
  second: string;
  last: string;
  hour: string;
  seconds: string;
}

function writtenDate(cell: string): WrittenDate | undefined {
  const [date = '', clock, ...more] = cell.trim().split(/[ T]+/, 3);
  const found = day.exec(date);
  const hours = clock === undefined ? [] : time.exec(clock);
  if (!found || !hours || more.length > 0) return undefined;
  const [, first = '', sign = '', second = '', last = ''] = found;
  const [, hour = '', seconds = ''] = hours;
  const numbers = first.length === 4 ? [second, last] : [first, second];
  // Years have four digits, and one of the other numbers is a month.
  const isDate =
    [first, last].filter((each) => each.length === 4).length === 1 &&
    [first, last].some((each) => each.length <= 2) &&
    numbers.every((each) => Number(each) <= 31) &&
    numbers.some((each) => Number(each) <= 12);
  return isDate ? { first, sign, second, last, hour, seconds } : undefined;
}

const isYearFirst = ({ first }: WrittenDate) => first.length === 4;

/** What all dates of one format have in common. */
const formOf = (date: WrittenDate) => [isYearFirst(date), date.sign, date.hour !== '', date.seconds !== ''].join();

/** Tells in which format the dates of instants and of days are. Dates as the service writes them need none. */
export function dateFormOf(moments: readonly string[], days: readonly string[] = []): DateForm {
  const cells = [
    ...moments.filter((cell) => !plainMoment.test(cell.trim())),
    ...days.filter((cell) => !plainDay.test(cell.trim())),
  ];
  const dates = cells.map(writtenDate).filter((found) => found !== undefined);
  const [date] = dates;
  if (!date) return {};
  if (new Set(dates.map(formOf)).size > 1) return { doubt: 'mixed' };
  const order = orderOf(dates);
  if (order === 'order' || order === 'mixed') return { doubt: order };
  const [first, second, last] = order;
  const wide = (letter: string, part: 'first' | 'second' | 'last' | 'hour') =>
    letter === 'yyyy' ? letter : letter.repeat(dates.every((each) => each[part].length > 1) ? 2 : 1);
  const clock = date.hour === '' ? '' : ` ${wide('H', 'hour')}:mm${date.seconds === '' ? '' : ':ss'}`;
  const parts = [wide(first, 'first'), wide(second, 'second'), wide(last, 'last')];
  return { dateFormat: parts.join(date.sign) + clock };
}

/** The order of year, month and day in dates of one form, or why it is not known. */
function orderOf(dates: readonly WrittenDate[]): readonly [string, string, string] | 'order' | 'mixed' {
  const isOver12 = (part: 'first' | 'second') => dates.some((each) => Number(each[part]) > 12);
  if (dates.every(isYearFirst)) return isOver12('second') ? 'mixed' : ['yyyy', 'M', 'd'];
  if (isOver12('first') && isOver12('second')) return 'mixed';
  if (isOver12('second')) return ['M', 'd', 'yyyy'];
  return isOver12('first') || dates.every(({ sign }) => sign === '.') ? ['d', 'M', 'yyyy'] : 'order';
}
