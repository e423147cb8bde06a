/** A program as the overview reads it. */
export interface OverviewProgram {
  id: string;
  name: string;
  timezone: string;
  currencyCode?: string;
}
