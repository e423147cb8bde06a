/** Limits of imports (docs/design/bulk.md). Sizes are bytes, without the compression in which a file was sent. */
export const importLimits = {
  /** Size of the parts in which a file is stored. */
  chunkBytes: 2 ** 20,
  /** Files of more than one part that an org may send at once, and imports of an org that may wait or run. */
  uploadsAtOnce: 2,
  openMax: 20,
  /** All files of an org that are stored at a time. */
  storedMaxBytes: 4 * 2 ** 30,
  /** The least that a client must send in each `paceMs`, which is also how often an upload writes its sign of life. */
  paceMinBytes: 65_536,
  paceMs: 20_000,
  /** After this time without a sign of life, the process of an upload has ended. */
  abandonedMs: 300_000,
  columnsMax: 200,
  rowMaxBytes: 2 ** 20,
  rowsMax: 10_000_000,
  /** Failed rows after which an import ends. */
  failedMax: 100_000,
  /** Rows, and bytes of rows, of one transaction. */
  batchRows: 500,
  batchMaxBytes: 4 * 2 ** 20,
  /**
   * The most records that one transaction writes through their routes, one after the other, and the time after which it
   * is divided. So it ends long before a store aborts it, which a private one does after 8 s.
   */
  routeWritesMax: 50,
  routeWritesMs: 3000,
  /**
   * Keys of a file of which it is remembered on which line they stand, at least: a key that occurs twice further apart
   * is not noticed. Warnings that are kept. Rows of repeated keys that a dry run keeps, in all and of one key.
   */
  keysRemembered: 250_000,
  warningsMax: 100,
  keptRepeated: 10_000,
  keptOfKey: 20,
  /** How much of a failed row is kept for the file of failed rows. */
  keptRowMaxBytes: 65_536,
  /** A run that is silent for so long is continued by another worker. */
  silentMaxMs: 10_000,
  aliveEveryMs: 2000,
  /** The most rows of a batch that are checked side by side. */
  checkedAtOnce: 8,
  /** Processes that end without any progress before an import fails. */
  attemptsMax: 5,
  /** How often a single row may run out of time before it fails, and the pause before a try, times its number. */
  rowTriesMax: 4,
  rowPauseMs: 500,
  /** After how long an import that had to wait continues. */
  retryMs: 3000,
  /**
   * Imports that a worker process runs side by side. When others wait, one yields after so long, or after so many times
   * as long as it took to come to its first row: it will have to read its file up to there again.
   */
  atOnce: 3,
  turn: { turnMs: 10_000, perSkipped: 5 },
  /** Days after which the file of an import that never ran, and an import, are deleted. */
  fileKeptDays: 7,
  keptDays: 30,
} as const;
