/** When the first of these lifetime aggregates ends; undefined when none does. */
export function firstEnd(aggregates: readonly { readonly expirationDate?: Date | undefined }[]): Date | undefined {
  let first: Date | undefined;
  for (const { expirationDate } of aggregates) {
    if (expirationDate && (!first || expirationDate < first)) first = expirationDate;
  }
  return first;
}
