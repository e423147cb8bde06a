/** The records that an activity refers to, as of the load of its batch. Ids are ObjectIds, as stored. */
export interface Enriched {
  location?: Record<string, unknown>;
  partner?: Record<string, unknown>;
  /** By SKU. */
  products: ReadonlyMap<string, Record<string, unknown>>;
}

/** For an activity that refers to no record. */
export const notEnriched: Enriched = { products: new Map() };
