/** What fields of rules are for, in German, by the English text of the schema of rules. */
export const ruleHelps: Readonly<Record<string, string>> = {
  'Short name, unique in the program and never changed: limits, budgets and past awards hang on it':
    'Kurzer Name, eindeutig im Programm und nie geändert: Grenzen, Budgets und frühere Punkte hängen daran',
  'For people': 'Für Menschen',
  'Only active rules fire': 'Nur aktive Regeln greifen',
  'Types it looks at: Accrual, Redemption, Adjustment, Enrollment, Referral, Cancellation, TierReached, TierLost, PointsExpired, MemberEnrolled, RewardIssued, ReferralCompleted, PointsExpiring, Birthday, Anniversary, Scheduled, or an Enum of type ActivityType. Those from TierReached on are occasions, which the service posts itself':
    'Welche Arten von Aktivitäten sie ansieht. Anlässe wie „Stufe erreicht“ oder „Geburtstag“ bringt der Dienst selbst; eigene Arten stehen in der Aufzählung ActivityType',
  'When the calendar brings the occasions of the rule': 'Wann der Kalender die Anlässe der Regel bringt',
  'For Scheduled: how often': 'Nach Plan: wie oft',
  'For Scheduled: the day of the week (`"Mon"`), of the month (`1` to `31`, or `"last"`) or of the year (`"12-24"`); a day that the month does not have is its last day':
    'Nach Plan: der Tag der Woche ("Mon"), des Monats (1 bis 31 oder "last") oder des Jahres ("12-24"); fehlt der Tag im Monat, ist es dessen letzter',
  "HH:mm by the program's clock, default 00:00": 'HH:mm nach der Uhr des Programms, sonst 00:00',
  'For Scheduled: the members who are in it then; left out: every Active member':
    'Nach Plan: die Mitglieder, die dann darin sind; ohne Angabe alle aktiven',
  'For Birthday, Anniversary and PointsExpiring: so many days before the day itself':
    'Für Geburtstag, Jahrestag und baldigen Verfall: so viele Tage vorher',
  "When it holds, by the activity's date; plain days are of the program's time zone":
    'Wann sie gilt, nach dem Tag der Aktivität in der Zeitzone des Programms',
  'First instant; a plain day (2026-10-01) from its beginning': 'Ab hier; ein Tag (2026-10-01) ab seinem Beginn',
  'No longer at this one; a plain day (2026-12-31) until its end':
    'Ab hier nicht mehr; ein Tag (2026-12-31) bis zu seinem Ende',
  "In the program's time zone; past midnight (22:00 to 02:00) belongs to the day it began":
    'In der Zeitzone des Programms; über Mitternacht (22:00 bis 02:00) zählt der Tag des Beginns',
  'Default: every day': 'Ohne Angabe jeden Tag',
  'HH:mm, default 00:00': 'HH:mm, sonst 00:00',
  'HH:mm, itself not included; default 24:00': 'HH:mm, selbst nicht eingeschlossen; sonst 24:00',
  "location: by the time zone of the activity's location, when it has one; program (the default): by the program's":
    'Ort: nach der Zeitzone des Orts der Aktivität, wenn sie einen hat; Programm (sonst): nach der des Programms',
  'The member is in any of them': 'Das Mitglied ist in einem davon',
  'The member has any of these levels': 'Das Mitglied hat eine dieser Stufen',
  'Higher first; a rule sees what rules of higher priority did, not those of its own; equal: by file name, then place in the file':
    'Höhere zuerst. Eine Regel sieht, was Regeln höherer Priorität taten, nicht die der eigenen; bei gleicher entscheiden Dateiname und Stelle',
  'Rules of one group and priority compete; needs pick':
    'Regeln einer Gruppe und Priorität stehen im Wettbewerb; braucht eine Auswahl',
  'Which of the group fire: all, the first, or the one with the most or fewest points over all purses; needs group, and for highest and lowest one priority':
    'Welche der Gruppe greifen: alle, die erste, oder die mit den meisten oder wenigsten Punkten über alle Börsen; braucht eine Gruppe',
  'When it fires, no rule after it does': 'Wenn sie greift, greift danach keine Regel mehr',
  'Evaluated for each line item, with the facts lineItem and product; its actions happen for each that fits, and limits count each':
    'Gilt für jede Position einzeln, mit ihrem Produkt; was geschieht, geschieht für jede passende, und Grenzen zählen jede',
  'When it fires; left out: always': 'Wann sie greift; ohne Angabe immer',
  'What happens': 'Was geschieht',
  'What of its points goes back when a part of the activity is returned: reevaluate decides the activity again without what came back, proportional goes by the value, keep leaves them until all is returned. Default: reevaluate when the return names line items, else proportional':
    'Was von ihren Punkten zurückgeht, wenn ein Teil zurückkommt: neu entscheiden, nach dem Wert, oder behalten, bis alles zurück ist. Sonst: neu entscheiden, wenn die Rückgabe Positionen nennt, andernfalls nach dem Wert',
  'How much at most, see Limits and budget': 'Wie viel höchstens',
  'points: those that the rule awards, or of a rule that awards none, redeems or else transfers; times: how often it fires (completeReferral has only this); amount: what its points are computed from, so that what is beyond it earns nothing':
    'Punkte: die sie gibt (oder nimmt, oder verschiebt); Mal: wie oft sie greift; Betrag: woraus ihre Punkte gerechnet werden, was darüber liegt, sammelt nichts',
  'account: all members of the account, or the member when it has none; product: of the line item, needs perLine; coupon: the offer or reward that the line item or the activity names; program: all members together. Without a location, partner, product or coupon the limit does not hold':
    'Konto: alle Mitglieder des Kontos; Produkt: das der Position; Gutschein: das genannte Angebot oder die Prämie; Programm: alle Mitglieder zusammen. Ohne Ort, Partner, Produkt oder Gutschein gilt die Grenze nicht',
  "Of the activity's date in the program's time zone; a week begins on Sunday. A window of days includes the activity's day; one of hours is exact; of years there is only `enrolment`, per member; on days outside of `from` and `to` the limit does not hold":
    'Nach dem Tag der Aktivität in der Zeitzone des Programms; eine Woche beginnt am Sonntag. Ein Fenster von Tagen enthält den Tag selbst; außerhalb von „Ab“ und „Bis“ gilt die Grenze nicht',
  'Never exceeded, however many activities come in at once; a cancellation gives it back':
    'Wird nie überschritten, auch nicht von gleichzeitigen Aktivitäten; eine Rückgabe gibt es zurück',
  'reduce gives what is left, skip lets the rule not fire, reject fails the activity with error 2110':
    'Nur der Rest; oder die Regel greift nicht; oder die Aktivität scheitert (Fehler 2110)',
  'All limits of the program with this group count together; they have the same what, per, period and max':
    'Alle Grenzen des Programms mit dieser Gruppe zählen zusammen; sie haben dieselben Angaben',
  'A cancellation gives it back; completeReferral has none': 'Eine Rückgabe gibt es zurück',
  'Points it may award over its whole life': 'So viele Punkte darf sie insgesamt geben',
  'Examples that must come out as written, or the file is refused':
    'Beispiele, die so herauskommen müssen; sonst wird die Datei abgelehnt',
  'A sentence': 'Ein Satz',
  'Rows that make many rules of one': 'Zeilen, die aus einer Regel viele machen',
  'By name: what its cells are for': 'Nach Name: wofür die Zellen sind',
  'What the cells of a CSV file are; found out when left out':
    'Was die Zellen einer CSV-Datei sind; ohne Angabe wird es erkannt',
  'Cells by the names of columns': 'Zellen nach den Namen der Spalten',
  'A CSV file beside this one (RFC 4180); its first line names the columns':
    'Eine CSV-Datei daneben (RFC 4180); die erste Zeile nennt die Spalten',
};
