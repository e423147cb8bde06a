/** What fields of members are for, in forms of members and of tests. */
export const memberHelps: Readonly<Record<string, string>> = {
  'Member.familyHead': 'Das Mitglied der Familie, das nach den Regeln einen Anteil seiner Punkte bekommt',
  'Member.loyaltyID': 'Ohne Angabe vergibt sie der Dienst',
  bucket: 'Für ein Mitglied immer dieselbe Zahl, über alle Mitglieder gleich verteilt; für Versuche',
  enrolledAt: 'Ohne Angabe: als das Mitglied angelegt wurde',
  lastVisit: 'Tag seines letzten Einkaufs, für daysSince',
  loyaltyIDs: 'Alle Nummern, die zum Mitglied führen',
  'member.familyHead': 'Die Kennung des Mitglieds, das einen Anteil seiner Punkte bekommt',
  'member.referralCode': 'Sein eigener, den andere nennen',
  'member.segments': 'Namen',
  processedAccruals: 'Bei 0 gilt isFirstActivity',
  referredBy: 'Die Kennung des Mitglieds, das es empfohlen hat',
};
