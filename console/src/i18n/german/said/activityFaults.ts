/** Why an activity or a return was refused, in German. */
export const activityFaults: Readonly<Record<string, string>> = {
  'Not enough points in {}: {} needed, {} available': 'Nicht genug Punkte in {1}: nötig {2}, verfügbar {3}',
  'Not enough points in {}': 'Nicht genug Punkte in {1}',
  'A limit of rule {} is used up': 'Eine Grenze der Regel {1} ist erreicht',
  'Rule {} failed to evaluate: {}': 'Die Regel {1} ließ sich nicht auswerten: {2}',
  // Sentences of the service in German that repeat a fault.
  'Sie scheiterte: {}.': 'Sie scheiterte: {1:said}.',
  '{}, und die Aktivität scheiterte daran: {}.': '{1}, und die Aktivität scheiterte daran: {2:said}.',
  'Rule {} {}': 'Regel {1}: {2:said}',
  'Rule {}: {} {}': 'Regel {1}: {2} {3:said}',
  'Rule {} names {}, which the program has no more': 'Die Regel {1} nennt {2}; das hat das Programm nicht mehr',
  'Rule {} names the purse {}, which the program has no more':
    'Die Regel {1} nennt die Börse {2}; die hat das Programm nicht mehr',
  'The member is {}, not Active': 'Das Mitglied ist nicht aktiv ({1})',
  'The program is {}, not Active': 'Das Programm ist nicht aktiv ({1})',
  'The program {}': 'Das Programm {1:said}',
  'is valid from {} on': 'gilt erst ab {1}',
  'was valid before {}': 'galt nur vor {1}',
  'The rules for occasions cause each other: more than {} in a row':
    'Die Regeln für Anlässe lösen einander aus: mehr als {1} nacheinander',
  'A Cancellation cannot be cancelled': 'Eine Rückgabe lässt sich nicht zurückgeben',
  'The activity had no effect, so it cannot be cancelled':
    'Die Aktivität hatte keine Wirkung; es gibt nichts zurückzugeben',
  'The activity is cancelled already': 'Die Aktivität ist schon ganz zurückgegeben',
  'The activity does not meet the condition in validate': 'Die Aktivität erfüllt die Bedingung nicht, die genannt ist',
  'The purse would exceed 2^53 - 1 points': 'Die Börse käme über 2^53 - 1 Punkte',
  'Points are at most {}': 'Es sind höchstens {1} Punkte möglich',
  'The purse {} exists no more': 'Die Börse {1} gibt es nicht mehr',
  'The coupon code {} {}': 'Der Gutscheincode {1} {2:said}',
  'The reward {} {}': 'Die Prämie {1} {2:said}',
  'The member to receive points {}': 'Das Mitglied, das Punkte bekommen soll, {1:said}',
  'is not known in the program': 'ist im Programm nicht bekannt',
  'is the one who gives them': 'ist dasselbe, das sie gibt',
  'is not known': 'ist nicht bekannt',
  'is not valid': 'ist nicht gültig',
  'is in another program': 'gehört zu einem anderen Programm',
  'belongs to another program': 'gehört zu einem anderen Programm',
  "is not of the member's program": 'gehört nicht zum Programm des Mitglieds',
  'is {}, not Active': 'ist nicht aktiv ({1})',
  'is not valid at this location': 'ist an diesem Ort nicht gültig',
  'is valid from {}': 'gilt erst ab {1}',
  'was valid until {}': 'galt nur bis {1}',
  'is no choice with the reward {}': 'ist keine Wahl, zu der die Prämie {1} gehört',
  'is a choice: chosenReward must name a reward': 'ist eine Wahl: Wählen Sie eine Prämie',
  'costs no points': 'kostet keine Punkte',
  'costs {} points, not {}': 'kostet {1} Punkte, nicht {2}',
  'needs at least {} points, not {}': 'braucht mindestens {1} Punkte, nicht {2}',
  'costs too much money': 'kostet zu viel Geld',
  'No rule of program "{}" is in force: its rule files were refused, or not read since the program was made. So no rule awarded points. POST /refreshcache?entity=Rule reads the files again and names their faults.':
    'Für das Programm „{1}“ gilt keine Regel: Seine Regeldateien wurden abgelehnt oder noch nicht gelesen. Darum gab keine Regel Punkte.',
  '{} failed: {}': '{1} ist gescheitert: {2:said}',
  'must be a currency code of ISO 4217 in capital letters, such as EUR{}':
    'muss ein Währungscode der ISO 4217 in Großbuchstaben sein, etwa EUR{1:said}',
  'is {}, but the amounts of program {} are in {}': 'ist {1}, aber die Beträge des Programms {2} sind in {3}',
  'refers to no {}': 'gibt es nicht ({1:said})',
  'memberID and loyaltyID name different members': 'memberID und loyaltyID nennen verschiedene Mitglieder',
  'memberID or loyaltyID is required': 'memberID oder loyaltyID fehlt',
  'needs a pooled member, and the member is Individual': 'geht nur bei einem Mitglied, das sich mehrere teilen',
  'is not the product of itemSKU': 'ist nicht das Produkt mit dieser Artikelnummer',
  'is required for a Cancellation': 'fehlt; eine Rückgabe braucht es',
  '_id, itemSKU or productId says which line item came back':
    '_id, itemSKU oder productId sagt, welche Position zurückkam',
  'must not be more than 24 hours ahead': 'darf höchstens 24 Stunden in der Zukunft liegen',
  'must not be before 1900': 'darf nicht vor 1900 liegen',
  'the sum of itemPrice * quantity must be at most 2^53 - 1':
    'die Summe aus Preis mal Menge darf höchstens 2^53 - 1 sein',
  'itemPrice * quantity must be at most 2^53 - 1': 'Preis mal Menge darf höchstens 2^53 - 1 sein',
  'must be one of {}, or a value of an Enum of type {}':
    'muss eines davon sein: {1}; oder ein Wert einer Aufzählung der Art {2}',
  '{}; only the service itself posts {}': '{1:said}; {2} bringt nur der Dienst selbst',
  'must be at least 1': 'muss mindestens 1 sein',
  'names no line item; leave it out to return all that is left':
    'nennt keine Position; lassen Sie es weg, um den ganzen Rest zurückzugeben',
  'is empty; leave it out to return all that is left': 'ist leer; lassen Sie es weg, um den ganzen Rest zurückzugeben',
  'must be at most {}, which is left to return': 'darf höchstens {1} sein; so viel ist noch zurückzugeben',
  'is not on a line item of the activity': 'steht auf keiner Position der Aktivität',
  'is not the activity in the path': 'ist nicht diese Aktivität',
  'was used for a different request': 'wurde schon für eine andere Aktivität verwendet',
  'must have {}': 'muss {1} haben',
  'must not be {}': 'darf nicht {1} sein',
  'query must select by at least one field': 'der Filter muss mindestens ein Feld nennen',
  'query selects more than {} activity histories; narrow it':
    'der Filter findet mehr als {1} Aktivitäten; machen Sie ihn enger',
  'The first request of this key is still in flight; retry later':
    'Dieselbe Aktivität wird noch verarbeitet; versuchen Sie es gleich erneut',
  'The first request with this Idempotency-Key is still in flight':
    'Dieselbe Anfrage wird noch verarbeitet; versuchen Sie es gleich erneut',
  'The history of this activity is older than the service keeps them':
    'Diese Aktivität ist so alt, dass der Dienst sie nicht mehr aufbewahrt',
  'The activity with what it names and what rules recorded is larger than 16 MB':
    'Die Aktivität ist mit allem, was sie nennt und was Regeln festhielten, größer als 16 MB',
  'The activity may not be stored; send it again':
    'Vielleicht ist die Aktivität nicht gespeichert; senden Sie sie noch einmal',
  'The activity could not be processed in time; retry later':
    'Die Aktivität wurde nicht rechtzeitig verarbeitet; versuchen Sie es später erneut',
  'Database Error: the activity could not be processed': 'Fehler der Datenbank: Die Aktivität wurde nicht verarbeitet',
  'asOf must be a date in one of the accepted formats, such as 2026-01-31T13:45:00.000Z':
    'asOf muss ein Datum sein, etwa 2026-01-31T13:45:00.000Z',
  'asOf needs persist=false': 'asOf geht nur beim Probieren',
  'No rule set was in force when this activity was processed.':
    'Als diese Aktivität verarbeitet wurde, galten keine Regeln.',
  'The activity was refused before any rule was asked: {}.':
    'Die Aktivität wurde abgelehnt, bevor eine Regel gefragt wurde: {1:said}.',
  'Rule set {} has no rule for activities of type {} in this program.':
    'Die Version {1} der Regeln hat in diesem Programm keine Regel für Aktivitäten der Art {2}.',
};
