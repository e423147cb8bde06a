/** Which part of a list is wanted. A type, not an interface, so that it fits where filters by any field do. */
type ListOptions = {
  limit: number;
  skip?: number;
  /** Fields with commas between them; one with a minus before it goes down. */
  sort?: string;
  /** The fields that are wanted, with commas between them. */
  select?: string;
};

/** The arguments of a list: a filter of the query language, and which part of it is wanted, in which order. */
export function listQuery(filter: object, options: ListOptions): ListOptions & { query: string } {
  return { query: JSON.stringify(filter), ...options };
}
