/** Every bound of a read's arguments (docs/design/query.md). */
export const queryLimits = {
  /** Bytes of `query`, `select` and `sort`. */
  argumentMaxBytes: 16_384,
  /** Objects within objects of a filter; lists between them do not count. */
  depthMax: 6,
  /** Fields, operators and branches of a filter together. */
  nodesMax: 100,
  /** Values of `$in`, `$nin` and `$all`. */
  listMax: 500,
  /** Regular expressions of one read, the shorthand `~` included. */
  regexesMax: 2,
  /** Characters of all texts that one field of a record can hold where no schema says less: those of a whole body. */
  textMax: 2 ** 20,
  /** Characters of a field's path. */
  pathMaxLength: 200,
  selectMax: 100,
  sortMax: 4,
  distinctFieldsMax: 4,
  /** Values that `distinct` answers; also its default. */
  distinctMax: 1000,
  populateMax: 3,
  limitDefault: 100,
  limitMax: 1000,
  skipMax: 1_000_000,
  /** Milliseconds the database may work on one read. */
  timeMaxMs: 800,
  /** Milliseconds after which a read that did not look heavy counts as one. */
  lightMaxMs: 200,
  /** Heavy reads of one user at once, in one process. */
  heavyAtOnceMax: 4,
  /** A `skip` past this many records makes a read heavy. */
  heavySkip: 10_000,
} as const;
