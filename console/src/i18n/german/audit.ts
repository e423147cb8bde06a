import type { audit as english } from '../english/audit';
import type { Texts } from '../texts';

/** Messages of the audit log, in German. */
export const audit: Texts<typeof english> = {
  audit: {
    text: 'Wer was geändert hat, wann und von wo. Niemand kann einen Eintrag ändern oder löschen.',
    via: { host: 'ein Befehl auf dem Rechner', service: 'der Dienst selbst' },
    kinds: {
      imports: 'Import',
      jobs: 'Auftrag',
      rulesets: 'Regeln, Version',
      proposals: 'Regeln, Vorschlag',
      orgs: 'Organisation',
      members: 'Mitglied',
      accrualitems: 'Gutschrift',
    },
    entry: 'Eintrag %{seq}',
    before: 'Vorher',
    after: 'Nachher',
    unseen: 'Auch geändert, nicht gezeigt: %{names}',
  },
};
