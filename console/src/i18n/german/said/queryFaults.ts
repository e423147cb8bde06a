/** Faults of filters, searches and orders of lists, in German. */
export const queryFaults: Readonly<Record<string, string>> = {
  'The filter has more than {} conditions; use $in or ask in parts':
    'Der Filter hat mehr als {1} Bedingungen; nehmen Sie $in, oder fragen Sie in Teilen',
  'The filter has more than {} regular expressions': 'Der Filter hat mehr als {1} reguläre Ausdrücke',
  '{} nests deeper than {} objects; write the filter flatter':
    '{1} ist tiefer als {2} Ebenen; schreiben Sie den Filter flacher',
  '{}: operator {} is not allowed here; use one of {}': '{1}: {2} ist hier kein Vergleich; möglich sind {3}',
  '{} must be a whole number from {} to {}': '{1} muss eine ganze Zahl von {2} bis {3} sein',
  '{} must not mix operators with fields': '{1} darf Vergleiche und Felder nicht mischen',
  '{} cannot equal an object; name a field of it with a dot, or use an operator such as $gt':
    '{1} kann keinem Objekt gleichen; nennen Sie ein Feld darin mit Punkt, oder nehmen Sie einen Vergleich wie $gt',
  '{} must be true or false': '{1} muss true oder false sein',
  '{} must be one of {}, or a list of some of them': '{1} muss eines davon sein, oder eine Liste davon: {2}',
  '{} may only stand beside $regex': '{1} darf nur neben $regex stehen',
  '{} must be an object of operators, such as {"$gt":5}': '{1} muss ein Objekt mit Vergleichen sein, etwa {"$gt":5}',
  '{} cannot equal a list; use $in, $all or $size': '{1} kann keiner Liste gleichen; nehmen Sie $in, $all oder $size',
  '{}: true and false have no order; use $eq or $ne':
    '{1}: true und false haben keine Reihenfolge; nehmen Sie $eq oder $ne',
  '{} must be a number, date, id or string': '{1} muss eine Zahl, ein Datum, eine ID oder ein Text sein',
  '{} must be a list of at most {} values': '{1} muss eine Liste mit höchstens {2} Werten sein',
  '{} takes values, not operators': '{1} nimmt Werte, keine Vergleiche',
  '{} must be a whole number from 0 to 100000': '{1} muss eine ganze Zahl von 0 bis 100000 sein',
  '{} is for texts, but this field has none': '{1} ist für Texte; dieses Feld hat keine',
  '{} must be a string': '{1} muss ein Text sein',
  '{} is for lists, but this field is not a list': '{1} ist für Listen; dieses Feld ist keine',
  '{} is needed: a JSON object that selects records': '{1} fehlt: ein JSON-Objekt, das Einträge auswählt',
  '{} must name at least one field': '{1} muss mindestens ein Feld nennen',
  '{}: {} is a shorthand of field=value; write an operator such as $regex, or {}':
    '{1}: {2} ist eine Kurzform von Feld=Wert; schreiben Sie einen Vergleich wie $regex, oder {3}',
  '{}: {} is not a field of this resource': '{1}: {2} ist hier kein Feld',
  '{} must be a list of at least one filter': '{1} muss eine Liste mit mindestens einem Filter sein',
  '{} takes filters that name at least one field': '{1} nimmt Filter, die mindestens ein Feld nennen',
  '{} is longer than {} bytes; ask for less at once': '{1} ist länger als {2} Bytes; fragen Sie weniger auf einmal',
  '{} must be a JSON object, such as {"name":"x"}': '{1} muss ein JSON-Objekt sein, etwa {"name":"x"}',
  '{} nests too deep': '{1} ist zu tief verschachtelt',
  '{} holds control characters or lone surrogates': '{1} enthält Steuerzeichen oder halbe Zeichen',
  '{} is not valid JSON; quote names and texts with " and encode it for the URL':
    '{1} ist kein gültiges JSON; Namen und Texte stehen in "',
  '{} must not hold the key {}': '{1} darf den Namen {2} nicht enthalten',
  'an id of 24 hexadecimal characters': 'eine ID aus 24 hexadezimalen Zeichen',
  'a date such as 2026-01-31T13:45:00.000Z (in a URL write + as %2B)': 'ein Datum, etwa 2026-01-31T13:45:00.000Z',
  'a number within 2^53 - 1': 'eine Zahl bis 2^53 - 1',
  'a string': 'ein Text',
  'null, or name one of its fields with a dot instead': 'null; oder nennen Sie eines seiner Felder mit Punkt',
  'a JSON value whose keys do not start with $, hold no dot and nest at most 32 deep':
    'ein JSON-Wert, dessen Namen nicht mit $ beginnen und keinen Punkt enthalten, mit höchstens 32 Ebenen',
  'search must have 1 to {} characters': 'die Suche muss 1 bis {1} Zeichen haben',
  'sort cannot order by the object {}; name a field of it':
    'nach dem Objekt {1} lässt sich nicht ordnen; nennen Sie ein Feld darin',
  'sort cannot order by fields of two different lists':
    'nach Feldern zweier verschiedener Listen lässt sich nicht ordnen',
  '{} must be a regular expression of at most {} characters':
    '{1} muss ein regulärer Ausdruck mit höchstens {2} Zeichen sein',
  '{} must be a string of the letters i, m, s, each at most once':
    '{1} muss ein Text aus den Buchstaben i, m, s sein, jeder höchstens einmal',
  '{} could take too long on {}, most of all {}: begin it with ^, repeat less with *, + and {n,m}, or name more of the text':
    '{1} könnte bei {2} zu lange dauern, vor allem {3}: Beginnen Sie es mit ^, wiederholen Sie weniger mit *, + und {n,m}, oder nennen Sie mehr vom Text',
  '{} is no regular expression: {}; write \\ before a character that means itself':
    '{1} ist kein regulärer Ausdruck: {2}; vor ein Zeichen, das sich selbst meint, gehört \\',
  '{} has more than {} alternatives, those of groups multiplied; use fewer |':
    '{1} hat mehr als {2} Möglichkeiten, die von Gruppen malgenommen; nehmen Sie weniger |',
  'Argument {} is not a name': 'Die Angabe {1} ist kein Name',
  'Argument {} is given twice; use query for two conditions':
    'Die Angabe {1} steht zweimal da; nehmen Sie für zwei Bedingungen den Filter',
  'Argument {} holds control characters': 'Die Angabe {1} enthält Steuerzeichen',
};
