/** What differs between two recordings, and what stands in its place; `n` counts the different ones. */
const changing: [pattern: RegExp, put: (n: number) => string][] = [
  [/^lk_[0-9a-f]{24}_\w{39}$/g, () => 'lk_64b7f0c2a9d3e4f5a0b1c2d3_7Qw2ZyN4kVbT9sLxPm3RcUaEoGhJfKdD8iHtYvXe1n'],
  [/^lk_[0-9a-f]{24}$/g, () => 'lk_64b7f0c2a9d3e4f5a0b1c2d3'],
  [/^whsec_.{44}$/g, () => 'whsec_plJ3nmyCDGBKInavdOK15jsl1nEGTrzQp0qE4pm6xTg='],
  [/\b[0-9a-f]{24}\b/g, (n) => `64b7f0c2a9d3e4f5${n.toString(16).padStart(8, '0')}`],
  [/\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z-]{4,9}\b/g, (n) => `7KQ2-M4XD-${String(n).padStart(4, '0')}`],
  [/^[0-9a-f]{64}$/g, () => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/g, () => 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2NGI3In0.c2lnbmF0dXJl'],
];

/** Fields of the machine and the build that answered. */
const fields: Record<string, unknown> = {
  host: 'api-1',
  pid: 1,
  durationMs: 12,
  build: '4c8f45d',
  requestId: '5f0c6a52-6d0e-4b8e-9c39-0a4f6f1f2b71',
};

/** Puts fixed values in the place of ids, codes and other values that are new in each recording. */
export function settled<T>(recorded: T): T {
  const known = changing.map(() => new Map<string, string>());
  const settle = (value: unknown, name = ''): unknown => {
    if (Object.hasOwn(fields, name)) return fields[name];
    if (typeof value === 'string') return changing.reduce((text, _each, index) => replaced(text, index), value);
    if (Array.isArray(value)) return value.map((each) => settle(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settle(each, key)]));
  };
  const replaced = (text: string, index: number) => {
    const [pattern, put] = changing[index] ?? [/$^/g, String];
    return text.replace(pattern, (found) => {
      const fixed = known[index]?.get(found) ?? put((known[index]?.size ?? 0) + 1);
      known[index]?.set(found, fixed);
      return fixed;
    });
  };
  return settle(recorded) as T;
}
