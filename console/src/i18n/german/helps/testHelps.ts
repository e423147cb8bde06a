/** What fields of the tests of a rule are for, in German, by the English text of the schema of rules. */
export const testHelps: Readonly<Record<string, string>> = {
  'What was done: Accrual, Redemption, ..., or an Enum of type ActivityType':
    'Was geschah: Accrual (Einkauf), Redemption (Einlösung) … oder eine eigene Art',
  'When it occurred; defaults to now': 'Wann es geschah; sonst jetzt',
  'POS, Web, Mobile, CallCenter, Partner, or an Enum of type ChannelType':
    'POS (Kasse), Web, Mobile (App), CallCenter (Telefon), Partner oder ein eigener Kanal',
  'Number of the location': 'Nummer des Orts',
  'Default: the sum of itemPrice * quantity': 'Sonst die Summe aus Preis mal Menge',
  'An id that leads to the member': 'Eine Nummer, die zum Mitglied führt',
  'Who began it, when memberID is a pooled member': 'Wer sie begann, wenn sich mehrere ein Mitglied teilen',
  'Code of the member that referred this one': 'Code des Mitglieds, das dieses empfohlen hat',
  'Posted for a referred member': 'Für ein empfohlenes Mitglied',
  'How it was paid': 'Wie bezahlt wurde',
  'Code of a reward; couponCode is the code of a choice with it':
    'Code einer Prämie; couponCode ist dann der Code einer Wahl, zu der sie gehört',
  'Points to pay for the reward of couponCode; the rest of its cost is paid in money':
    'Punkte für die Prämie von couponCode; der Rest der Kosten wird in Geld bezahlt',
  'Code of a partner': 'Code eines Partners',
  'Minutes from UTC': 'Minuten Abstand zu UTC',
  'Extension fields': 'Erweiterungsfelder',
  'Its place in the order': 'Ihr Platz in der Reihenfolge',
  'The sku of a product': 'Die Artikelnummer eines Produkts',
  'Price of a single item in minor units': 'Preis eines Stücks, in Cent',
  'Default itemPrice * quantity': 'Sonst Preis mal Menge',
  'EA, KG, L, M, or an Enum of type SalesUOM': 'EA (Stück), KG, L, M oder eine eigene Einheit',
  'Given before it was posted': 'Schon vorher gewährt',
  'Of an activity that the service posted to itself: what the occasion was':
    'Bei einem Anlass, den der Dienst selbst brachte: welcher es war',
  'Tier policy of the level': 'Stufenmodell der Stufe',
  'The level since then; absent when none is left': 'Die Stufe seitdem; fehlt, wenn keine bleibt',
  'The level before; absent when there was none': 'Die Stufe davor; fehlt, wenn es keine gab',
  'Why the level changed, as in the tier history': 'Warum sich die Stufe änderte',
  'Purse of the points': 'Börse der Punkte',
  'Points that expire or expired': 'Punkte, die verfallen oder verfielen',
  'The day of expiry, birthday or anniversary: YYYY-MM-DD': 'Der Tag selbst: JJJJ-MM-TT',
  'Which birthday or anniversary it is': 'Der wievielte Geburtstag oder Jahrestag',
  'The code that was issued to the member': 'Der Code, den das Mitglied bekam',
  'Which of the two the member is': 'Wer von beiden das Mitglied ist',
  'The other member of the referral': 'Das andere Mitglied der Empfehlung',
  'The schedule of the rules that it is for, in words': 'Der Zeitplan der Regeln, für die er ist',
  'The activity that caused it': 'Die Aktivität, die ihn auslöste',
  'Its place in a chain of occasions that cause each other, from 1':
    'Sein Platz in einer Kette von Anlässen, die einander auslösen, ab 1',
  'In place of activity: several, one after the other, each seeing what those before did':
    'Anstelle einer Aktivität: mehrere nacheinander; jede sieht, was die davor taten',
  'Change of each named purse': 'Änderung jeder genannten Börse',
  'Keys of rules; these take part in the test': 'Schlüssel von Regeln; diese nehmen am Test teil',
  'Keys of rules; these take part as well': 'Schlüssel von Regeln; auch diese nehmen teil',
  'Fields of result.data that must be set so': 'Felder von result.data, die so gesetzt sein müssen',
  'Code or message of the error': 'Code oder Text des Fehlers',
  'In place of activity: a story of the member, with returns and time that passes':
    'Anstelle einer Aktivität: eine Geschichte des Mitglieds, mit Rückgaben und Zeit, die vergeht',
  'Position of the step with the activity, from 1': 'Der Schritt mit der Aktivität, ab 1 gezählt',
  'The returned lines, as a cancel names them': 'Die Positionen, die zurückkommen',
  'Value to return': 'Wert, der zurückkommt',
  'An instant, or a plain date: midnight in the time zone of the program':
    'Ein Zeitpunkt, oder ein Tag: Mitternacht in der Zeitzone des Programms',
  'Balance of each named purse after the step': 'Stand jeder genannten Börse nach dem Schritt',
  'Available balance after the step': 'Verfügbarer Stand nach dem Schritt',
  'Level by tier policy after the step; null: none': 'Stufe nach Stufenmodell nach dem Schritt; null: keine',
  'For a cancel: points of each named rule that it returns': 'Bei einer Rückgabe: Punkte jeder Regel, die zurückgehen',
  'What each offer or reward that was applied gave, by code or name: minor units off, or points; null: it was not applied; {}: none was':
    'Was jedes angewendete Angebot gab, nach Code oder Name: Cent weniger oder Punkte; null: nicht angewendet; {}: keines',
  'How many of each reward were issued, by code or name; {}: none. A cancel that withdraws one: -1':
    'Wie viele von jeder Prämie ausgegeben wurden, nach Code oder Name; {}: keine. Zieht eine Rückgabe eine zurück: -1',
  'Minor units paid for each reward beside points (payPoints), by code or name; {}: none. What a cancel gives back is below 0':
    'Cent, die neben Punkten für jede Prämie bezahlt wurden; {}: keine. Was eine Rückgabe erstattet, ist unter 0',
  'Change, in each purse, of the share that the head of the family (familyHead) got; {}: none':
    'Änderung des Anteils, den das Familienoberhaupt bekam, je Börse; {}: keine',
  'The fact `member`; purse values may be plain balances': 'Das Mitglied; Börsen dürfen einfache Zahlen sein',
  'What named lists hold: ids, SKUs, location numbers, partner codes or loyalty ids':
    'Was in Listen steht: Nummern von Artikeln, Orten und Mitgliedern oder Codes von Partnern',
  'Metrics of the member before the first activity, in the periods of its date: {"spend": {"month": 480}}; `days` gives what single days counted, for windows: {"spend": {"days": {"2026-09-30": 480}}}':
    'Kennzahlen des Mitglieds vor der ersten Aktivität: {"spend": {"month": 480}}; „days“ nennt einzelne Tage: {"spend": {"days": {"2026-09-30": 480}}}',
  'Sets now and the default date; else now is the date of each activity':
    'Was als jetzt gilt, auch als Datum; sonst der Tag jeder Aktivität',
};
