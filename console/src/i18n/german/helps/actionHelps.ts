/** What actions of rules do and what their fields are for, in German, by the English text of the schema of rules. */
export const actionHelps: Readonly<Record<string, string>> = {
  'Awards points': 'Gibt Punkte',
  'Name of the purse policy': 'Name der Börse',
  "When they join the balance, in place of the purse policy's; none: at once":
    'Wann sie gutgeschrieben werden, anstelle der Angabe der Börse; Keine: sofort',
  "When they expire, in place of the purse policy's; inactivity can only be chosen there":
    'Wann sie verfallen, anstelle der Angabe der Börse; Untätigkeit lässt sich nur dort wählen',
  'The share of each award that goes to the familyHead of the member, rounded down; the rest stays with the member':
    'Welcher Anteil an das Familienoberhaupt geht, abgerundet; der Rest bleibt beim Mitglied',
  'The share, above 0 and at most 1, or a fact that says it':
    'Der Anteil, über 0 und höchstens 1, oder eine Angabe, in der er steht',
  'Takes points; without enough of them the activity fails with error 2100':
    'Nimmt Punkte; reichen sie nicht, scheitert die Aktivität (Fehler 2100)',
  'Puts the member at a level of a tier policy, up or down, or gives the level for a time, which never lowers the member; rules of lower priority see it; stays after a cancel':
    'Setzt das Mitglied auf eine Stufe, nach oben oder unten, oder gibt sie auf Zeit, was nie herabstuft. Regeln niedrigerer Priorität sehen es; bleibt nach einer Rückgabe',
  'Name of the tier policy': 'Name des Stufenmodells',
  'Name of the level': 'Name der Stufe',
  "The last day, YYYY-MM-DD in the program's time zone": 'Der letzte Tag, JJJJ-MM-TT in der Zeitzone des Programms',
  "How long, from the activity's date; in place of until": 'So lange ab dem Tag der Aktivität; anstelle von „Bis zum“',
  'A challenge; needs until or for': 'Eine Aufgabe; braucht „Bis zum“ oder „Für“',
  'Counted from the day of the activity on, until the level ends':
    'Gezählt ab dem Tag der Aktivität, bis die Stufe endet',
  'Who reaches it in this time keeps the level': 'Wer es in dieser Zeit erreicht, behält die Stufe',
  'Moves points, those that expire first go first and keep their expiry; without enough of them: error 2100 (an overdraft cannot be given away)':
    'Verschiebt Punkte; zuerst die, die zuerst verfallen, mit ihrem Verfall. Reichen sie nicht: Fehler 2100',
  'Name of the purse policy that they leave': 'Name der Börse, aus der sie kommen',
  'Name of another purse policy of the same member': 'Name einer anderen Börse desselben Mitglieds',
  'The same purse of another active member of the program; none: error 2200':
    'Dieselbe Börse eines anderen aktiven Mitglieds im Programm; gibt es keins: Fehler 2200',
  'A loyalty id, or {fact: "activity", path}: where the activity names it':
    'Eine Mitgliedsnummer, oder {fact: "activity", path}: wo die Aktivität sie nennt',
  'Counts something for the member, to be read in the aggregates and by the fact aggregate; a negative amount subtracts':
    'Zählt etwas für das Mitglied, was Summen und Regeln lesen; weniger als null zieht ab',
  'Name of a metric that is not built in': 'Name einer eigenen Kennzahl',
  'When the lifetime sum ends, counted from the activity': 'Wann die Summe endet, ab der Aktivität gerechnet',
  'Puts the product into each line item: in the history, and for rules of lower priority ($.lineItems[*].product.category)':
    'Setzt in jede Position ihr Produkt ein: für die Geschichte und für Regeln niedrigerer Priorität',
  'Puts the member into a static segment; rules of lower priority see it; stays after a cancel':
    'Nimmt das Mitglied in ein Segment von Hand auf. Regeln niedrigerer Priorität sehen es; bleibt nach einer Rückgabe',
  'Name of a static segment': 'Name eines Segments von Hand',
  'Takes the member out of a static segment; stays after a cancel':
    'Nimmt das Mitglied aus einem Segment von Hand; bleibt nach einer Rückgabe',
  'Burns the cost of a reward and gives the member a code of its own, in data.issuedRewards, to be sent once as couponCode; without enough points: error 2100':
    'Nimmt die Kosten einer Prämie und gibt dem Mitglied einen eigenen Code (data.issuedRewards), der einmal als couponCode gilt. Reichen die Punkte nicht: Fehler 2100',
  'Gives the member a code, in data.issuedChoices, to take one of several rewards: it is sent as couponCode, with the reward as chosenReward':
    'Gibt dem Mitglied einen Code (data.issuedChoices), um eine von mehreren Prämien zu nehmen: als couponCode, mit der Prämie als chosenReward',
  'Codes of rewards': 'Codes von Prämien',
  'Code of the reward': 'Code der Prämie',
  'The one of them that may be taken without a choice, also later':
    'Die, die auch ohne Wahl genommen werden darf, auch später',
  'How long the member may choose': 'So lange darf das Mitglied wählen',
  'Applies an offer, as if couponCode had named it: bestOffers tells what it gave; one that may not be used now is passed over, with a line in result.log':
    'Wendet ein Angebot an, als hätte couponCode es genannt. Eines, das jetzt nicht gilt, wird übergangen; das Protokoll sagt es',
  'Code of the offer': 'Code des Angebots',
  'Gives points to the member and to the one who referred it, once for each referred member; else it does nothing, and result.log says why':
    'Gibt dem Mitglied und dem Empfehlenden Punkte, einmal für jedes empfohlene Mitglied; sonst nichts, und das Protokoll sagt, warum',
  'Name of the purse policy, for both members': 'Name der Börse, für beide Mitglieder',
  'Puts values into result.data of the answer, for a till or an app to show; needs values or texts':
    'Setzt Werte in die Antwort (result.data), für Kasse oder App; braucht Werte oder Texte',
  'Fields of result.data, as they are': 'Felder von result.data, wie sie sind',
  'Fields of result.data, each a text with values or texts by language, as message of log':
    'Felder von result.data, jedes ein Text mit Werten oder Texte nach Sprache',
  'Values by name: a fact as it is, or an amount': 'Werte nach Name: eine Angabe, wie sie ist, oder ein Betrag',
  'A fact, or a computation': 'Eine Angabe oder eine Rechnung',
  'All of them together': 'Alle zusammen',
  'The first less the second': 'Das erste minus das zweite',
  'The first times the second, and so on': 'Das erste mal das zweite und so weiter',
  'The smallest of them': 'Das kleinste davon',
  'The largest of them': 'Das größte davon',
  'The first divided by the second; 0 when the second is 0': 'Das erste durch das zweite; 0, wenn das zweite 0 ist',
  'Times what `of` is: a number above 0, or a fact (a missing one gives 0); default 1':
    'So oft das, wovon gerechnet wird: eine Zahl über 0 oder eine Angabe (fehlt sie: 0); sonst 1',
  'Default floor': 'Sonst abgerundet',
  'At least so many': 'Mindestens so viele',
  'At most so many': 'Höchstens so viele',
  'Sets extension fields of the member or the activity; stays after a cancel':
    'Setzt Erweiterungsfelder des Mitglieds oder der Aktivität; bleibt nach einer Rückgabe',
  Whose: 'Wessen',
  'Fails the activity with error 2400; nothing of it takes effect':
    'Lässt die Aktivität scheitern (Fehler 2400); nichts von ihr wirkt',
  'What the client is told; {{name}} is a value of `with`. Or one text for each language, the default first':
    'Was der Aufrufer erfährt; {{name}} ist ein Wert aus „with“. Oder ein Text für jede Sprache, der übliche zuerst',
  'Writes a line into result.log': 'Schreibt eine Zeile ins Protokoll (result.log)',
  'The line; {{name}} is a value of `with`. Or one text for each language, the default first':
    'Die Zeile; {{name}} ist ein Wert aus „with“. Oder ein Text für jede Sprache, der übliche zuerst',
};
