/** What fields of definitions are for, in German, by the English text of the API. */
export const definitionHelps: Readonly<Record<string, string>> = {
  'Unique; also its rule folder': 'Eindeutig; so heißt auch der Ordner der Regeln',
  'Offers and rewards applied to one activity at most': 'So viele Angebote und Prämien höchstens je Aktivität',
  'Offers with perLine applied to one line item at most': 'So viele Angebote für Positionen höchstens je Position',
  'Extension fields': 'Erweiterungsfelder',
  'Unique in the program': 'Eindeutig im Programm',
  'Points a redemption may go below zero': 'So viele Punkte darf eine Einlösung unter null gehen',
  "none: at once; duration: so long after the activity's date":
    'Keine: sofort verfügbar; Dauer: so lange nach dem Tag der Aktivität',
  'How many units': 'So viele Einheiten',
  'none: never; rolling: so long after they join the balance; calendar: when a day of the year ends; inactivity: so long after the last activity':
    'Keine: nie; Gleitend: so lange nach der Gutschrift; Kalendertag: am Ende eines Tages im Jahr; Untätigkeit: so lange nach der letzten Aktivität',
  'How many units; of calendar: how many years later': 'So viele Einheiten; beim Kalendertag: so viele Jahre später',
  'They last until the end of this period': 'Sie gelten bis zum Ende dieses Zeitraums',
  'Of calendar: month of the day': 'Beim Kalendertag: der Monat',
  'Of calendar: the day': 'Beim Kalendertag: der Tag',
  'Unique in the policy': 'Eindeutig im Stufenmodell',
  'Unique in the policy; higher is better': 'Eindeutig im Stufenmodell; höher ist besser',
  'Value of the metric from which on it is reached; rises with number':
    'Ab diesem Wert der Kennzahl ist die Stufe erreicht; steigt mit der Nummer',
  'When a member has the level for good: after so many years, or from a lifetime sum on':
    'Ab wann ein Mitglied die Stufe für immer hat: nach so vielen Jahren oder ab einer Summe',
  'At it or higher without a break': 'So lange ohne Unterbrechung auf ihr oder höher',
  'Metric whose lifetime sum gives it; needs atLeast': 'Kennzahl, deren Summe sie gibt; braucht „Mindestens“',
  'The lifetime sum from which on it is given': 'Ab dieser Summe gibt es sie',
  'Such as pointsEarned, spend, visits, or one of addMetric':
    'Wie pointsEarned (gesammelte Punkte), spend (Umsatz), visits (Besuche) oder eine, die Regeln zählen',
  'How long a level lasts': 'So lange gilt eine Stufe',
  '0 only with a snap: until the end of the period': '0 nur mit „bis zum Ende“: bis der Zeitraum endet',
  'It ends with this period; endOfMemberYear: the year from an anniversary of the enrolment':
    'Sie endet mit diesem Zeitraum; das Mitgliedsjahr beginnt mit dem Jahrestag der Anmeldung',
  'Whether a late activity gives the level that the period of its date then reaches; default ignored':
    'Ob eine späte Aktivität die Stufe gibt, die der Zeitraum ihres Tages damit erreicht; sonst nicht',
  'Unique in any case; what activities name in couponCode':
    'Eindeutig, auch ohne Groß- und Kleinschreibung; Aktivitäten nennen ihn als couponCode',
  'ISO 4217; cannot be another one once activities have amounts':
    'ISO 4217; lässt sich nicht mehr gegen eine andere tauschen, sobald Aktivitäten Beträge haben',
  'ISO 4217; that of the program, when the program has one': 'ISO 4217; die Währung des Programms, wenn es eine hat',
  'Whether it restricts nothing': 'Ob er nichts einschränkt',
  'Whether what meets the criteria is eligible, or everything else; default true':
    'Ob zählt, was zu den Merkmalen passt, oder alles andere; sonst das Passende',
  'Whether one criterion is enough; default false: all are needed': 'Ob ein Merkmal genügt; sonst müssen alle passen',
  'Whether * and ? stand for any characters and one, without regard to case':
    'Ob * für beliebige Zeichen und ? für eines steht, ohne auf Groß und Klein zu achten',
  'Criteria by field, or their JSON text': 'Merkmale nach Feld, oder deren JSON-Text',
  'A list as one more criterion': 'Eine Liste als weiteres Merkmal',
  'Minor units off, percent off, points on top, or points times value':
    'Betrag weniger (in Cent), Prozent weniger, Punkte dazu, oder ein Vielfaches der Punkte',
  'Minor units or points that it gives at most': 'So viel gibt es höchstens, in Cent oder Punkten',
  'Uses of all members together at most': 'So oft höchstens, alle Mitglieder zusammen',
  'Uses of one member at most': 'So oft höchstens je Mitglied',
  'Of one group only one is applied': 'Aus einer Gruppe wird nur eines angewendet',
  'The discount is one for each line item, by itself': 'Der Rabatt gilt für jede Position einzeln',
  'It goes with no other offer or reward': 'Verträgt sich mit keinem anderen Angebot und keiner Prämie',
  'It goes with none of these groups': 'Verträgt sich mit keiner dieser Gruppen',
  'Higher first': 'Höhere zuerst',
  'Name of a purse policy of the program': 'Name einer Börse des Programms',
  'Points to pay at least; the rest may be paid in money':
    'So viele Punkte mindestens; der Rest darf in Geld bezahlt werden',
  'Minor units to pay in place of one point; with leastPoints':
    'So viel in Cent anstelle eines Punkts; zusammen mit den Mindestpunkten',
  'How long after its issue its code becomes valid': 'So lange nach der Ausgabe wird der Code gültig',
  'How long its code is valid from then on': 'So lange ist der Code von da an gültig',
  'It lasts until the end of this period': 'Bis zum Ende dieses Zeitraums',
  'Unique; what line items name in itemSKU': 'Eindeutig; Positionen nennen sie als itemSKU',
  'Never counted by the facts eligibleAmount and eligibleQuantity':
    'Zählt nie für Betrag und Menge der passenden Positionen',
  'Unique; what activities name in srcChannelID': 'Eindeutig; Aktivitäten nennen sie als srcChannelID',
  'A JSON object of any shape, at most 32 levels deep. At no level may a name be empty, begin with $, have a dot or control characters, or be __proto__ or _bsontype':
    'Ein JSON-Objekt, höchstens 32 Ebenen tief. Namen darin sind nicht leer, beginnen nicht mit $ und haben keinen Punkt',
  'Unique; what activities name in partnerCode': 'Eindeutig; Aktivitäten nennen ihn als partnerCode',
  Unique: 'Eindeutig',
  'What it lists, such as Product; needed by a list by query':
    'Was darin steht, wie Product; eine Liste mit Filter braucht es',
  'Of a static list': 'Bei einer Liste von Hand',
  'A filter as in the argument query of reads, not empty: a JSON object, or its text':
    'Ein Filter, nicht leer: ein JSON-Objekt oder dessen Text',
  'For example ActivityType, ChannelType, SalesUOM, SequenceName':
    'Zum Beispiel ActivityType (Art der Aktivität), ChannelType (Kanal), SalesUOM (Mengeneinheit)',
  'Unique in the type': 'Eindeutig in der Art',
  'Such as Member, Location, ActivityHistory or LineItem':
    'Wie Member (Mitglied), Location (Ort), ActivityHistory (Aktivität) oder LineItem (Position)',
  'Unique in the model': 'Eindeutig im Modell',
  'Unique in the schema': 'Eindeutig im Schema',
  'Of type enum: the type of the Enums that are its values': 'Bei Auswahl: die Art der Aufzählung mit den Werten',
  'Of a string: what it must match (RE2 syntax)': 'Bei Text: das Muster, zu dem er passen muss (RE2)',
  'Least number, or length of a string': 'Kleinste Zahl, oder kürzeste Länge eines Texts',
  'Greatest number, or length of a string': 'Größte Zahl, oder größte Länge eines Texts',
  'Unique over all orgs in any case; must not begin with system@, key@ or oidc@':
    'Eindeutig über alle Organisationen, auch ohne Groß- und Kleinschreibung; beginnt nicht mit system@, key@ oder oidc@',
  'Tokens of an inactive user are refused at once': 'Wer nicht aktiv ist, wird sofort abgewiesen',
  'What uses the key; unique in the org': 'Was den Schlüssel benutzt; eindeutig in der Organisation',
  'What the key may do, such as activity:post': 'Was der Schlüssel darf, wie activity:post',
  'Roles whose permissions the key has too': 'Rollen, deren Rechte der Schlüssel auch hat',
  'When the key ends; absent: never': 'Wann der Schlüssel endet; ohne Angabe nie',
  'Requests per minute; absent: RATE_LIMIT': 'Anfragen je Minute; ohne Angabe die Einstellung RATE_LIMIT',
  'Where the events are posted: https, unless WEBHOOK_PRIVATE is on':
    'Wohin die Ereignisse gehen: https, außer mit der Einstellung WEBHOOK_PRIVATE',
  'The types of the events to post': 'Welche Arten von Ereignissen hingehen',
  'While it is paused, events wait as long as they are kept':
    'Solange er angehalten ist, warten Ereignisse, so lange sie aufbewahrt werden',
  'Cannot change once the program has members': 'Lässt sich nicht mehr ändern, sobald das Programm Mitglieder hat',
  'The purse of what names no other, such as extra points of offers; one in a program':
    'Die Börse für alles, was keine andere nennt, etwa Zusatzpunkte von Angeboten; eine je Programm',
  'What points are called, such as point and points': 'Wie Punkte heißen, etwa Punkt und Punkte',
  'Points that a return takes back and that are spent already. full: they become debt; toZero: other points are taken, the rest is forgiven; pendingOnly: they stay, only points in escrow are taken back':
    'Punkte, die eine Rückgabe zurücknimmt und die schon eingelöst sind. full: sie werden Schuld; toZero: andere Punkte werden genommen, der Rest wird erlassen; pendingOnly: sie bleiben, nur wartende Punkte werden zurückgenommen',
  'How long points wait until they can be spent. Without it they can be spent at once':
    'Wie lange Punkte warten, bis sie eingelöst werden können. Ohne Angabe sofort',
  'How long points can be spent. Without it they never expire':
    'Wie lange Punkte eingelöst werden können. Ohne Angabe verfallen sie nie',
  'In the currency of the program; for the liability in reports':
    'In der Währung des Programms; für die Verbindlichkeit in Berichten',
};
