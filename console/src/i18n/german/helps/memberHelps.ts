/** What fields of members are for, in forms of members and of tests, in German, by the English text of the service. */
export const memberHelps: Readonly<Record<string, string>> = {
  'Made by the service when none is sent': 'Ohne Angabe vergibt sie der Dienst',
  'Defaults to now': 'Sonst jetzt',
  'The member of its family that takes the shares of its awards, by rules':
    'Das Mitglied der Familie, das nach den Regeln einen Anteil seiner Punkte bekommt',
  'null: when the record was created': 'Ohne Angabe: als das Mitglied angelegt wurde',
  'All that lead to the member': 'Alle Nummern, die zum Mitglied führen',
  'Its own, for others to send': 'Sein eigener, den andere nennen',
  'Id of the member that referred it': 'Die Kennung des Mitglieds, das es empfohlen hat',
  'Id of the member that takes the shares of its awards':
    'Die Kennung des Mitglieds, das einen Anteil seiner Punkte bekommt',
  Names: 'Namen',
  'Always the same for a member, and even over all members; for experiments':
    'Für ein Mitglied immer dieselbe Zahl, über alle Mitglieder gleich verteilt; für Versuche',
  'Date of its latest Accrual, for daysSince': 'Tag seines letzten Einkaufs, für daysSince',
  'isFirstActivity holds at 0': 'Bei 0 gilt isFirstActivity',
};
