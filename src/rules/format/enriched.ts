/** Records that an activity refers to, as they were when its batch was loaded; ids are ObjectIds, as stored. */
export interface Enriched {
  location?: Record<string, unknown>;
  partner?: Record<string, unknown>;
  /** By SKU. */
  products: ReadonlyMap<string, Record<string, unknown>>;
}

/** What an activity refers to when it refers to nothing. */
export const notEnriched: Enriched = { products: new Map() };
