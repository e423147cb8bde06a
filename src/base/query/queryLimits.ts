/** All limits of read arguments (docs/design/query.md). */
export const queryLimits = {
  /** Most bytes of each of `query`, `select` and `sort`. */
  argumentMaxBytes: 16_384,
  /** Most nested objects of a filter; lists between them do not count. */
  depthMax: 6,
  /** Most fields, operators and branches of a filter together. */
  nodesMax: 100,
  /** Most values of `$in`, `$nin` and `$all`. */
  listMax: 500,
  /** Most regular expressions of one read, including the shorthand `~`. */
  regexesMax: 2,
  /** Most characters of `search`. */
  searchMax: 100,
  /**
   * Most characters of all strings of one field in a record, when the schema has no bound: the size of a whole body.
   */
  textMax: 2 ** 20,
  /** Most characters of a field's path. */
  pathMaxLength: 200,
  selectMax: 100,
  sortMax: 4,
  distinctFieldsMax: 4,
  /** Most values that `distinct` answers; also its default. */
  distinctMax: 1000,
  populateMax: 3,
  limitDefault: 100,
  limitMax: 1000,
  skipMax: 1_000_000,
  /** Most characters of `after`. */
  cursorMax: 4096,
  /** Most milliseconds that the database may spend on one read. */
  timeMaxMs: 800,
  /** Milliseconds after which a read of unknown weight counts as heavy. */
  lightMaxMs: 200,
  /** Most simultaneous heavy reads of one user in one process. */
  heavyAtOnceMax: 4,
  /** A read that skips more records than this is heavy. */
  heavySkip: 10_000,
} as const;
