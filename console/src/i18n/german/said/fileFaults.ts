/** What the checks find in rule files and their tables, in German. */
export const fileFaults: Readonly<Record<string, string>> = {
  'the rule "{}" is in force since a rollback, and no file has it; to end it, {}':
    'die Regel „{1}“ gilt seit einem Zurückholen, und keine Datei hat sie; um sie zu beenden, setzen Sie bei den Versionen den Stand der Datei wieder ein',
  'the rule "{}" was rolled back: what this file has stays out until it changes here; or {}':
    'die Regel „{1}“ wurde zurückgeholt: was diese Datei hat, gilt erst wieder, wenn es sich hier ändert oder bei den Versionen wieder eingesetzt wird',
  'is no rule in force, and none is set aside': 'ist weder eine geltende noch eine zurückgeholte Regel',
  'no program has the code "{}"': 'kein Programm hat den Code „{1}“',
  'no program has the code "{}"; its rule files are not read':
    'kein Programm hat den Code „{1}“; seine Regeldateien werden nicht gelesen',
  'a rule is an object, { "key": ... }; this is {}': 'eine Regel ist ein Objekt, { "key": ... }; hier steht {1}',
  'this is rule {}; an org has at most {}': 'das ist die Regel Nummer {1}; möglich sind höchstens {2}',
  'with this program, the org would have {} rules; it may have {}':
    'mit diesem Programm wären es {1} Regeln; möglich sind {2}',
  'all rules together are above 15 MB, named conditions counted where they are used':
    'alle Regeln zusammen sind größer als 15 MB; benannte Bedingungen zählen, wo sie stehen',
  'the file is empty; a list of no rules is []': 'die Datei ist leer; eine Liste ohne Regeln ist []',
  'is larger than 1 MB; split it into several files': 'ist größer als 1 MB; teilen Sie es auf mehrere Dateien auf',
  'holds more than {} objects; split it into several files':
    'enthält mehr als {1} Objekte; teilen Sie es auf mehrere Dateien auf',
  'holds more than {} values; split it into several files':
    'enthält mehr als {1} Werte; teilen Sie es auf mehrere Dateien auf',
  'nests deeper than {} levels': 'ist tiefer als {1} Ebenen verschachtelt',
  'holds {} names; an object has at most {}': 'enthält {1} Namen; ein Objekt hat höchstens {2}',
  '{} is too large for a number': '{1} ist zu groß für eine Zahl',
  'this text holds a control character or a lone surrogate, which no text may':
    'dieser Text enthält ein Steuerzeichen oder ein halbes Zeichen, was kein Text darf',
  '"{}" stands here twice': '„{1}“ steht hier zweimal',
  'no rule file (.json) of its program is beside this table; send all files of the program, or a file with [] to end its rules':
    'neben dieser Tabelle liegt keine Regeldatei (.json) ihres Programms; dazu gehören alle Dateien des Programms, oder eine mit [], um seine Regeln zu beenden',
  'is neither a rule file nor a table, so it is never read; leave it out, or let its name end in .json or .csv, in small letters':
    'ist weder eine Regeldatei noch eine Tabelle und wird nie gelesen; lassen Sie es weg, oder lassen Sie den Namen auf .json oder .csv enden, klein geschrieben',
  'a rule file stands in the folder of its program, not deeper and not above':
    'eine Regeldatei liegt im Ordner ihres Programms, nicht tiefer und nicht darüber',
  'there are more than {} rule files; put several rules into one file':
    'es sind mehr als {1} Regeldateien; schreiben Sie mehrere Regeln in eine Datei',
  'has a name that is not UTF-8 or holds control characters; rename it':
    'hat einen Namen, der kein UTF-8 ist oder Steuerzeichen enthält; benennen Sie es um',
  'is not a file; only {}': 'ist keine Datei; nur {1}',
  'with its {} rule files, the org has more than {}': 'mit diesen {1} Regeldateien sind es mehr als {2}',
  'with its {}, all rule files together are above 8 MB': 'mit {1} sind alle Regeldateien zusammen größer als 8 MB',
  'all rule files together are above 8 MB': 'alle Regeldateien zusammen sind größer als 8 MB',
  'cannot be read: {}': 'lässt sich nicht lesen: {1}',
  'is not read: its symbolic link leads out of the folder of rules':
    'wird nicht gelesen: die symbolische Verknüpfung führt aus dem Regelordner hinaus',
  'the rule files of "{}" are gone, and "{}" belongs to no program: the rules of "{}" stay in force. Rename or remove "{}", or end the rules by a file with [] in "{}"':
    'die Regeldateien von „{1}“ sind weg, und „{2}“ gehört zu keinem Programm: Die Regeln von „{3}“ gelten weiter. Benennen Sie „{4}“ um oder löschen Sie es, oder beenden Sie die Regeln durch eine Datei mit [] in „{5}“',
  'a table has either "rows" or "csv"': 'eine Tabelle hat entweder „rows“ oder „csv“',
  'there is no file "{}" beside this one': 'neben dieser Datei gibt es keine Datei „{1}“',
  'no table of a rule file beside it names this file': 'keine Tabelle einer Regeldatei nennt diese Datei',
  'no rule reads the lookup table "{}"': 'keine Regel liest die Nachschlagetabelle „{1}“',
  'the lookup table "{}" is declared twice': 'die Nachschlagetabelle „{1}“ ist zweimal genannt',
  'the column "{}" stands here twice': 'die Spalte „{1}“ steht hier zweimal',
  'the column "{}" is for the same; one of them is enough': 'die Spalte „{1}“ ist für dasselbe; eine davon genügt',
  'the table has no column "{}"': 'die Tabelle hat keine Spalte „{1}“',
  'the first line names the columns, and at least one row stands below it':
    'die erste Zeile nennt die Spalten, und darunter steht mindestens eine Zeile',
  'the first line lacks {}': 'in der ersten Zeile fehlt {1}',
  'holds {} rows; a lookup table has at most {}': 'enthält {1} Zeilen; eine Nachschlagetabelle hat höchstens {2}',
  'has {} columns, at most {}': 'hat {1} Spalten; höchstens {2} sind möglich',
  '"{}" has no column "{}"': '„{1}“ hat keine Spalte „{2}“',
  '"{}" has no other columns; a lookup needs one with values':
    '„{1}“ hat keine anderen Spalten; zum Nachschlagen braucht es eine mit Werten',
  '"{}" cannot be the name of a column: it begins with a letter and has only letters, digits, _ and -':
    '„{1}“ kann keine Spalte heißen: Ein Name beginnt mit einem Buchstaben und hat nur Buchstaben, Ziffern, _ und -',
  'with these {} cells, lookup tables come to more than {} cells':
    'mit diesen {1} Zellen haben die Nachschlagetabellen mehr als {2} Zellen',
  'this line has {} cells; the first has {}': 'diese Zeile hat {1} Zellen, die erste {2}',
  'this line has more cells than the first, which has {}': 'diese Zeile hat mehr Zellen als die erste, die {1} hat',
  'this row has no "{}", which is a key': 'in dieser Zeile fehlt „{1}“, ein Schlüssel',
  'the row at line {} has the same keys: {}': 'die Zeile {1} hat dieselben Schlüssel: {2}',
  'repeats the row at {}': 'wiederholt die Zeile bei {1}',
  'this row has no key': 'diese Zeile hat keinen Schlüssel',
  'the row at {} has the same key': 'die Zeile bei {1} hat denselben Schlüssel',
  'has the conditions of the row at {}; a column with "key": true tells them apart':
    'hat dieselben Bedingungen wie die Zeile bei {1}; eine Spalte mit „key“: true unterscheidet sie',
  '{}; say the type of this column': '{1:said}; nennen Sie die Art dieser Spalte',
  '"{}" is {}, and "{}" on line {} is {}': '„{1}“ ist {2:said}, und „{3}“ in Zeile {4} ist {5:said}',
  '"{}" is not {}': '„{1}“ ist nicht {2:said}',
  '"{}" is not a number': '„{1}“ ist keine Zahl',
  '"{}" is not a number in a table; write {}': '„{1}“ ist in einer Tabelle keine Zahl; schreiben Sie {2}',
  '"{}" may be {} or {}; write {} or {}': '„{1}“ kann {2} oder {3} sein; schreiben Sie {4} oder {5}',
  'is larger than {}, or holds more than {} cells; split it into several files':
    'ist größer als {1} oder enthält mehr als {2} Zellen; teilen Sie es auf mehrere Dateien auf',
  'this cell holds a control character, which no text may': 'diese Zelle enthält ein Steuerzeichen, was kein Text darf',
  'is not CSV as RFC 4180 says': 'ist keine CSV-Datei, wie RFC 4180 sie beschreibt',
  'this cell begins with a quote that never closes': 'diese Zelle beginnt mit einem Anführungszeichen, das nie endet',
  'a quote stands inside a cell of this line; within quotes it is written twice':
    'in einer Zelle dieser Zeile steht ein Anführungszeichen; innerhalb von Anführungszeichen wird es doppelt geschrieben',
  'something stands after the closing quote of a cell of this line':
    'hinter dem letzten Anführungszeichen einer Zelle dieser Zeile steht noch etwas',
  'a quote stands inside a cell of this line; such a cell stands in quotes, each quote in it twice':
    'in einer Zelle dieser Zeile steht ein Anführungszeichen; eine solche Zelle steht in Anführungszeichen, und jedes darin doppelt',
  'with these {} rows, tables come to more rules than an org may have':
    'mit diesen {1} Zeilen ergeben Tabellen mehr Regeln, als möglich sind',
  '{} rows of so large a rule are too much; make it shorter':
    '{1} Zeilen einer so großen Regel sind zu viel; machen Sie sie kürzer',
  'a column of keys has "key": true': 'eine Spalte von Schlüsseln hat „key“: true',
  'set names one field of the rule, such as $.actions[0].points or $.effective.to':
    'set nennt ein Feld der Regel, etwa $.actions[0].points oder $.effective.to',
  'a table cannot set {}': 'eine Tabelle kann {1} nicht setzen',
  'the rule has no {}': 'die Regel hat kein {1}',
};
