/** What the decimals of some cells tell. */
export interface DecimalForm {
  /**
   * What they have before the decimals; undefined when no cell shows it, when cells differ, or when nothing has to be
   * said.
   */
  decimals?: 'comma' | 'point';
  /** The most digits after it, in the cells that tell it. */
  digits: number;
}

/** A number that can have only this decimal sign. `1,000` may be one or a thousand, and tells nothing; `0,125` does. */
function formOfCell(cell: string): { sign: string; digits: number; isSetApart: boolean } | undefined {
  const text = cell.trim().replace(/^[-+]/, '');
  for (const [sign, apart] of [
    [',', '.'],
    ['.', ','],
  ] as const) {
    const [whole = '', decimals, ...more] = text.split(sign);
    const groups = whole.split(apart);
    const isSetApart = groups.length > 1;
    const isWhole = isSetApart ? isGrouped(groups) : /^\d+$/.test(whole);
    if (!isWhole || more.length > 0) continue;
    if (decimals === undefined && groups.length > 2) return { sign, digits: 0, isSetApart };
    if (decimals === undefined || !/^\d+$/.test(decimals)) continue;
    const isThousand = !isSetApart && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    if (!isThousand) return { sign, digits: decimals.length, isSetApart };
  }
  return undefined;
}

/** Whether thousands are set apart as the service reads them. */
function isGrouped([first = '', ...groups]: readonly string[]): boolean {
  return /^[1-9]\d{0,2}$/.test(first) && groups.every((each) => /^\d{3}$/.test(each));
}

/** Tells how decimals of some cells are written. A point has to be said only where thousands are set apart. */
export function decimalFormOf(cells: readonly string[]): DecimalForm {
  const forms = cells.map(formOfCell).filter((found) => found !== undefined);
  const digits = Math.max(0, ...forms.map((each) => each.digits));
  const signs = new Set(forms.map(({ sign }) => sign));
  if (signs.size !== 1) return { digits };
  if (signs.has(',')) return { decimals: 'comma', digits };
  return forms.some(({ isSetApart }) => isSetApart) ? { decimals: 'point', digits } : { digits };
}
