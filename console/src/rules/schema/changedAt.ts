import { isObject } from './fieldShape';

/** A value of JSON with the part at a path replaced; undefined removes it. Names on the way are made. */
export function changedAt(whole: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') {
    const list: unknown[] = Array.isArray(whole) ? [...(whole as unknown[])] : [];
    const next = changedAt(list[name], rest, value);
    if (next === undefined) list.splice(name, 1);
    else list[name] = next;
    return list;
  }
  const { [name]: before, ...others } = isObject(whole) ? whole : {};
  const next = changedAt(before, rest, value);
  return next === undefined ? others : { ...(isObject(whole) ? whole : {}), [name]: next };
}
