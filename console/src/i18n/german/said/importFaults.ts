/** Faults of imported files and of their rows, in German. */
export const importFaults: Readonly<Record<string, string>> = {
  'A file has at most {} MB': 'Eine Datei hat höchstens {1} MB',
  'The file is empty': 'Die Datei ist leer',
  'The file must be in UTF-8': 'Die Datei muss UTF-8 sein',
  'The body comes too slowly': 'Die Datei kommt zu langsam an',
  'The files of the org take 4 GB': 'Die importierten Dateien brauchen schon 4 GB',
  '{} imports of the org wait or run already': 'Es warten oder laufen schon {1} Importe',
  '{} large files of the org arrive already': 'Es werden schon {1} große Dateien übertragen',
  'The org takes no writes now': 'Gerade lässt sich nichts ändern',
  'Other imports have their turn; this one goes on after them':
    'Andere Importe sind an der Reihe; dieser geht danach weiter',
  'The stores are away; the import goes on later': 'Die Datenbank ist weg; der Import geht später weiter',
  'The stores did not take the row in time; import it again':
    'Die Datenbank hat die Zeile nicht rechtzeitig angenommen; bitte noch einmal importieren',
  'format must be {}, as the media type says': 'das Format muss {1} sein',
  'has more than {} columns': 'hat mehr als {1} Spalten',
  'the column {} is required': 'die Spalte {1} fehlt',
  'column {} has no name': 'die Spalte {1} hat keinen Namen',
  'is not a column of this kind of import': 'ist keine Spalte, die dieser Import kennt',
  'has a value in column {}, which has no name': 'hat einen Wert in Spalte {1}, die keinen Namen hat',
  'bom=true is for format=csv alone': 'eine Byte Order Mark haben nur CSV-Dateien',
  'has {} cells, and the header has {}': 'hat {1} Zellen, die Kopfzeile hat {2}',
  'has more than 1 MB': 'ist größer als 1 MB',
  'must be a JSON object': 'muss ein JSON-Objekt sein',
  'is not valid JSON': 'ist kein gültiges JSON',
  'is not valid UTF-8': 'ist kein gültiges UTF-8',
  'is in two rows': 'steht in zwei Zeilen',
  'is required, so that the item is added once': 'fehlt; damit kommen die Punkte nur einmal dazu',
  'is required, so that the activity is posted once': 'fehlt; damit zählt die Aktivität nur einmal',
  'is required, so that the row is imported once': 'fehlt; damit wird die Zeile nur einmal importiert',
  'differs from the item that was added with this externalId':
    'weicht von den Punkten ab, die mit dieser externalId schon da sind',
  'needs the permission {}': 'braucht das Recht {1}',
  'must be a whole number from 0 to {}': 'muss eine ganze Zahl von 0 bis {1} sein',
  'must be a whole number from -{} to {}': 'muss eine ganze Zahl von -{1} bis {2} sein',
  'must be a whole number of digits alone, such as {}; "{}" is not':
    'muss eine ganze Zahl nur aus Ziffern sein, etwa {1}; „{2}“ ist keine',
  'must be a number such as 12 or 12.5; "{}" is not': 'muss eine Zahl sein, etwa 12 oder 12.5; „{1}“ ist keine',
  'must be a number such as 12 or 12,5; "{}" is not': 'muss eine Zahl sein, etwa 12 oder 12,5; „{1}“ ist keine',
  '"{}" times {} is no whole number': '„{1}“ mal {2} ist keine ganze Zahl',
  'must be a date as {}; "{}" is not': 'muss ein Datum sein wie {1}; „{2}“ ist keines',
  'the file has no column of this name': 'die Datei hat keine Spalte dieses Namens',
  'is not the name of a mapping for {}': 'ist nicht der Name einer Zuordnung für {1}',
  'A mapping is for CSV files; the lines of NDJSON name fields themselves':
    'Eine Zuordnung gibt es nur für CSV; die Zeilen von NDJSON nennen die Felder selbst',
  'must have yyyy, MM and dd once each, and may have HH, mm and ss, such as dd.MM.yyyy HH:mm':
    'muss yyyy, MM und dd je einmal haben und darf HH, mm und ss haben, etwa dd.MM.yyyy HH:mm',
  'Argument {} is written {}[…]=…': 'Das Argument {1} schreibt man {2}[…]=…',
  'must be true or false; "{}" is not': 'muss true oder false sein; „{1}“ ist keines davon',
  'must be a date such as 2026-01-31T13:45:00Z; "{}" is not':
    'muss ein Datum sein, etwa 2026-01-31T13:45:00Z; „{1}“ ist keines',
  'must have numbers of digits alone; "{}" is not': 'darf nur Zahlen aus Ziffern haben; „{1}“ ist keine',
  '"{}" is a number that a spreadsheet has shortened; format the column as text, and save the file again':
    '„{1}“ ist eine Zahl, die eine Tabellenkalkulation gekürzt hat; formatieren Sie die Spalte als Text, und speichern Sie die Datei neu',
  'is no level of this tier policy': 'ist keine Stufe dieses Stufenmodells',
  'is no {} of the program': 'gibt es im Programm nicht ({1})',
  'is no purse policy of the program': 'ist keine Börse des Programms',
  'is the code of another coupon': 'ist der Code eines anderen Gutscheins',
  'is the code of an offer or reward': 'ist der Code eines Angebots oder einer Prämie',
  'is neither the id nor the code of a program': 'ist weder die ID noch der Code eines Programms',
  'leads to the member {}, which has another loyaltyID': 'führt zum Mitglied {1}, das eine andere Nummer hat',
  'was imported with {} points before': 'wurde schon mit {1} Punkten importiert',
  'is set when a row creates the member, which has {} now':
    'wird nur gesetzt, wenn die Zeile das Mitglied anlegt; es hat jetzt {1}',
  'The rows could not be stored in time; retry later':
    'Die Zeilen wurden nicht rechtzeitig gespeichert; versuchen Sie es später erneut',
};
