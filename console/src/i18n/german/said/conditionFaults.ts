/** What the checks find in conditions of rules and the facts that they read, in German. */
export const conditionFaults: Readonly<Record<string, string>> = {
  'these are {} conditions; a rule has at most {}': 'das sind {1} Bedingungen; eine Regel hat höchstens {2}',
  'the outermost condition must be all, any, not or condition: {"all": [ ... ]}':
    'die äußerste Bedingung muss all, any, not oder condition sein: {"all": [ ... ]}',
  'conditions nest deeper than {} levels': 'Bedingungen sind tiefer als {1} Ebenen verschachtelt',
  'a condition is an object': 'eine Bedingung ist ein Objekt',
  'a condition is all, any, not, condition or a comparison; this one has no {}':
    'eine Bedingung ist all, any, not, condition oder ein Vergleich; dieser hat kein {1}',
  '"{}" and "{}" stand in one condition; nest one in the other':
    '„{1}“ und „{2}“ stehen in einer Bedingung; stellen Sie eine in die andere',
  '"{}" is not a field of a condition': '„{1}“ ist kein Feld einer Bedingung',
  '"{}" is not a field of a fact': '„{1}“ ist kein Feld einer Angabe',
  'priority must be a whole number from 1 to {}': 'priority muss eine ganze Zahl von 1 bis {1} sein',
  'name must be a text': 'name muss ein Text sein',
  'operator must be a text': 'der Vergleich fehlt oder ist kein Text',
  'fact must be the name of a fact': 'die Angabe fehlt, oder ihr Name ist kein Text',
  'condition must be the name of a named condition': 'condition muss der Name einer benannten Bedingung sein',
  '"not" holds one condition, not a list': '„not“ enthält eine Bedingung, keine Liste',
  '"{}" must be a list of conditions': '„{1}“ muss eine Liste von Bedingungen sein',
  'an empty "any" says nothing; leave it out, or use {"all": []} for always':
    'ein leeres „any“ sagt nichts; lassen Sie es weg, oder nehmen Sie für immer {"all": []}',
  'unknown named condition "{}"': 'unbekannte benannte Bedingung „{1}“',
  'unknown named list "{}"': 'unbekannte Liste „{1}“',
  'unknown operator "{}"': 'unbekannter Vergleich „{1}“',
  'unknown decorator "{}"': 'unbekannter Zusatz „{1}“',
  'unknown direction "{}"': 'unbekannte Richtung „{1}“',
  'unknown fact "{}"': 'unbekannte Angabe „{1}“',
  'unknown lookup table "{}"': 'unbekannte Nachschlagetabelle „{1}“',
  'the fact "{}" takes no params': 'nach der Angabe „{1}“ wird ohne params gefragt',
  'the fact "{}" is a {} and has no path': 'die Angabe „{1}“ ist {2:said} und hat keine Stellen (path)',
  'the fact "{}" needs "perLine": true': 'die Angabe „{1}“ braucht „perLine“: true',
  'a path looks like $.value, $.lineItems[*].itemSKU or $.purse[\'Bonus Points\']; it has no filters, scripts or ".."':
    "eine Stelle (path) sieht aus wie $.value, $.lineItems[*].itemSKU oder $.purse['Bonus Points']; sie hat keine Filter, Skripte oder „..“",
  '{}: {}': '{1}: {2:said}',
  'a {} has no parts': '{1:said} hat keine Teile',
  '"{}" stands after a list; use [*] for every element, or [0]':
    '„{1}“ steht hinter einer Liste; nehmen Sie [*] für jedes Element, oder [0]',
  'the value of a fact stands alone; it is not read in a list':
    'der Wert einer Angabe steht allein; in einer Liste wird er nicht gelesen',
  'a value is a text, a number, true, false, null or a list; an object is the value of a fact: {"fact": …}':
    'ein Wert ist ein Text, eine Zahl, true, false, null oder eine Liste; ein Objekt ist der Wert einer Angabe: {"fact": …}',
  '{} is never {}': '{1} ist nie {2}',
  '{} needs a list, and {} is {}': '{1} braucht eine Liste, und {2} ist {3:said}',
  '{} needs a list': '{1} braucht eine Liste',
  '{} needs a list, such as ["a", "b"]': '{1} braucht eine Liste, etwa ["a", "b"]',
  '{} needs a list of two values, lowest first': '{1} braucht eine Liste von zwei Werten, den kleinsten zuerst',
  '{} needs a text': '{1} braucht einen Text',
  '{} needs the name of a named list': '{1} braucht den Namen einer Liste',
  '{} needs true or false': '{1} braucht true oder false',
  '{} needs a number of days': '{1} braucht eine Zahl von Tagen',
  '{} needs a number of days, 0 or more, or such as {}': '{1} braucht eine Zahl von Tagen, mindestens 0, oder etwa {2}',
  'matches needs a regular expression in a text': 'matches braucht einen regulären Ausdruck in einem Text',
  'a regular expression has at most {} characters': 'ein regulärer Ausdruck hat höchstens {1} Zeichen',
  'this regular expression repeats too much: it has {} steps, at most {}':
    'dieser reguläre Ausdruck wiederholt zu viel: Er hat {1} Schritte, höchstens {2}',
  'not a regular expression that RE2 knows: {}': 'kein regulärer Ausdruck, wie ihn RE2 kennt: {1}',
  '{} does not fit {}, which is {}': '{1} passt nicht zu {2}: Das ist {3:said}',
  '{}; use {} or {}': '{1:said}; nehmen Sie {2} oder {3}',
  '{} is a date, and {} is not one, such as "2026-01-31T00:00:00Z"':
    '{1} ist ein Datum, und {2} ist keines, wie etwa „2026-01-31T00:00:00Z“',
  '{} is a number, and {} is {}': '{1} ist eine Zahl, und {2} ist {3:said}',
  '{} is a text, and {} is {}': '{1} ist ein Text, und {2} ist {3:said}',
  '{} is a boolean, and {} is {}': '{1} ist ein Ja-oder-nein-Wert, und {2} ist {3:said}',
  '{} is a date, and {} is {}': '{1} ist ein Datum, und {2} ist {3:said}',
  '{} is a list, and {} is {}': '{1} ist eine Liste, und {2} ist {3:said}',
  '{} is an object, and {} is {}': '{1} ist ein Objekt, und {2} ist {3:said}',
  'no product has the {} "{}"': 'kein Produkt hat das: {1} „{2}“',
  'no named list has the id {}': 'keine Liste hat die ID {1}',
  'the named list "{}" lists {}, not Product': 'die Liste „{1}“ ist von {2}, nicht von Produkten (Product)',
  '"{}" has the keys {}; here are {}': '„{1}“ hat die Schlüssel {2}; hier stehen {3}',
  'a key is a text, a number, true, false, or the value of a fact: {"fact": …}':
    'ein Schlüssel ist ein Text, eine Zahl, true, false oder der Wert einer Angabe: {"fact": …}',
  '{} is a {}, and the column "{}" has {}': '{1} ist {2:said}, und die Spalte „{3}“ hat {4:said}',
  '{} is an {}, and the column "{}" has {}': '{1} ist {2:said}, und die Spalte „{3}“ hat {4:said}',
  texts: 'Texte',
  numbers: 'Zahlen',
  'true and false': 'true und false',
  'crossed needs either every (a multiple) or at (a list of sums)':
    'crossed braucht entweder every (ein Vielfaches) oder at (eine Liste von Summen)',
  'points expire by days: no window of hours counts them':
    'Punkte verfallen nach Tagen: Kein Zeitraum aus Stunden zählt sie',
  'last must be at most {} for the unit {}': 'last darf bei der Einheit {2} höchstens {1} sein',
  'this is named condition {}; a program has at most {}':
    'das ist die benannte Bedingung Nummer {1}; ein Programm hat höchstens {2}',
  'the named condition "{}" is defined twice': 'die benannte Bedingung „{1}“ gibt es zweimal',
  '"{}" refers to itself: {}': '„{1}“ verweist auf sich selbst: {2}',
};
