import type { valueWords as english } from '../english/valueWords';
import type { Texts } from '../texts';

/** What values of members, activities and points are called, in German. */
export const valueWords: Texts<typeof english> = {
  words: {
    type: {
      Accrual: 'Einkauf',
      Redemption: 'Einlösung',
      Adjustment: 'Anpassung',
      Enrollment: 'Anmeldung',
      Referral: 'Empfehlung',
      Cancellation: 'Rückgabe',
      Individual: 'Person',
      Pooled: 'Von mehreren geteilt',
    },
    status: {
      Active: 'Aktiv',
      Inactive: 'Inaktiv',
      Suspended: 'Gesperrt',
      Merged: 'Zusammengeführt',
      Erased: 'Gelöscht',
      Processed: 'Verarbeitet',
      Cancelled: 'Storniert',
      Error: 'Abgelehnt',
      Issued: 'Ausgegeben',
      Used: 'Benutzt',
      Withdrawn: 'Zurückgezogen',
    },
    channel: { POS: 'Kasse', Web: 'Web', Mobile: 'App', CallCenter: 'Telefon', Partner: 'Partner' },
    journal: {
      accrue: 'Gutgeschrieben',
      release: 'Freigegeben',
      burn: 'Eingelöst',
      expire: 'Verfallen',
      reverse: 'Zurückgenommen',
      restore: 'Zurückgegeben',
      repay: 'Schuld beglichen',
      transferIn: 'Übertragen von',
      transferOut: 'Übertragen an',
      adjust: 'Von Hand geändert',
      opening: 'Vortrag',
    },
    state: {
      escrow: 'Wartet',
      available: 'Verfügbar',
      burned: 'Eingelöst',
      expired: 'Verfallen',
      reversed: 'Zurückgenommen',
    },
  },
};
