import type { GermanMessages } from './germanMessages';
import { germanRecord } from './germanRecord';

/** Faults of values and references, and words in other messages, in German. */
export const schemaMessages: GermanMessages = {
  'schema.aboveZero': 'muss größer als 0 sein',
  'schema.acceptedDate': 'muss ein Datum sein, etwa 2026-01-31T13:45:00.000Z',
  'schema.additionalProperties': 'ist hier kein Feld',
  'schema.anyOf': 'hat keine der möglichen Formen',
  'schema.atLeastOne': 'muss mindestens 1 sein',
  'schema.beginsWith': 'darf nicht mit {prefix} beginnen',
  'schema.beginsWithSpace': 'darf nicht mit Leerraum beginnen ({code})',
  'schema.const': 'hat nicht den Wert, der hier stehen muss',
  'schema.currency': 'muss ein Währungscode der ISO 4217 in Großbuchstaben sein, etwa EUR',
  'schema.date': 'muss ein Datum sein, etwa 2026-01-31T13:45:00.000Z',
  'schema.day': 'muss ein Tag sein, den es gibt, etwa 2026-01-31',
  'schema.effectiveToBeforeFrom': 'muss nach dem Beginn liegen',
  'schema.endsWithSpace': 'darf nicht mit Leerraum enden ({code})',
  'schema.enum': 'muss eines davon sein: {values}',
  'schema.exclusiveMaximum': 'muss kleiner als {limit} sein',
  'schema.exclusiveMinimum': 'muss größer als {limit} sein',
  'schema.fieldName': 'hat ein Feld mit unzulässigem Namen: Er {fault}',
  'schema.fixed': 'wird beim Anlegen festgelegt und lässt sich nicht ändern',
  'schema.format': ({ format = '' }) => `muss ${formats[format] ?? `vom Format ${format}`} sein`,
  'schema.hexId': 'muss eine ID aus 24 hexadezimalen Zeichen sein',
  'schema.if': 'hat nicht die Form, die hier nötig ist',
  'schema.inFuture': 'darf nicht in der Zukunft liegen',
  'schema.invalid': 'ist ungültig',
  'schema.invisible': 'darf keine unsichtbaren Zeichen enthalten (Zeichen {character} ist {code})',
  'schema.maxItems': ({ limit }) => `darf höchstens ${entries(limit)} haben`,
  'schema.maxLength': 'darf höchstens {limit} Zeichen haben',
  'schema.maxProperties': 'darf höchstens {limit} Felder haben',
  'schema.maximum': 'darf höchstens {limit} sein',
  'schema.minItems': ({ limit }) => `muss mindestens ${entries(limit)} haben`,
  'schema.minLength': 'muss mindestens {limit} Zeichen haben',
  'schema.minProperties': ({ limit }) => `muss mindestens ${limit === '1' ? '1 Feld' : `${limit} Felder`} haben`,
  'schema.minimum': 'muss mindestens {limit} sein',
  'schema.multipleOf': 'muss ein Vielfaches von {multipleOf} sein',
  'schema.not': 'hat eine Form, die hier nicht sein darf',
  'schema.notInFuture': 'muss in der Zukunft liegen',
  'schema.oneOf': 'hat keine der möglichen Formen, oder mehrere davon',
  'schema.otherSpace': 'darf außer einfachen Leerzeichen keinen Leerraum enthalten (Zeichen {character} ist {code})',
  'schema.pattern': 'muss zum Muster {pattern} passen',
  'schema.readOnly': 'wird vom Dienst berechnet und lässt sich nicht setzen',
  'schema.refusedKeys':
    'darf keine Namen haben, die leer sind, `__proto__` heißen, mit $ beginnen oder einen Punkt oder NUL enthalten, und höchstens 32 Ebenen',
  'schema.required': 'fehlt',
  'schema.storedTimezone': 'des gespeicherten Programms oder Standorts ist {timezone}, und das ist keine Zeitzone',
  'schema.timezone':
    'muss eine Zeitzone der IANA sein, etwa Europe/Paris; ein Abstand zu UTC oder eine Abkürzung ist keine',
  'schema.tooManyValues': 'darf höchstens {max} Werte enthalten, auch die in Objekten und Listen gezählt',
  'schema.type': ({ type }) => `muss ${germanTypes(type)} sein`,
  'schema.unfitCharacters':
    'darf keine Steuerzeichen außer Tabulator und Zeilenumbruch enthalten und keine halben Zeichen',
  'schema.uniqueItems': 'darf keinen Eintrag zweimal haben (die Einträge {j} und {i}, gezählt von 0, sind gleich)',
  'schema.validBefore': 'galt nur vor {to}',
  'schema.validFrom': 'gilt erst ab {from}',
  'refs.namedBy': 'wird genannt von {by} in {at}',
  'refs.namedByRule': 'wird in der Regel {rule} genannt',
  'refs.namesNone': 'nennt etwas, das es nicht gibt ({values})',
  'refs.noMember': 'ist keine ID eines vorhandenen Mitglieds',
  'refs.noRecord': ({ name }) => `ist keine ID eines vorhandenen Eintrags (${germanRecord(name)})`,
  'refs.noReward': 'ist keine ID einer vorhandenen Prämie',
  'refs.none': ({ model }) => `gibt es nicht (${germanRecord(model)})`,
  'refs.notPurseOfMember': 'ist keine Börse des Programms dieses Mitglieds',
  'refs.notPurseOfProgram': 'ist keine Börse des Programms',
  'refs.referredToBy': 'wird gebraucht von {path} in {field}',
  'refs.taken': 'hat schon ein anderer Eintrag',
  'words.aBoolean': 'ein Ja-oder-nein-Wert',
  'words.aDate': 'ein Datum',
  'words.aList': 'eine Liste [ ... ]',
  'words.aListValue': 'eine Liste',
  'words.aNumber': 'eine Zahl',
  'words.aText': 'ein Text',
  'words.aWholeNumber': 'eine ganze Zahl',
  'words.anObject': 'ein Objekt { ... }',
  'words.anObjectValue': 'ein Objekt',
  'words.anyValue': 'irgendein Wert',
  'words.comma': '{before}, {next}',
  'words.didYouMean': '{fault} (meinten Sie „{name}“?)',
  'words.errorName': 'Fehler {error}',
  'words.numbers': 'Zahlen',
  'words.or': '{before} oder {next}',
  'words.semicolon': '{before}; {next}',
  'words.texts': 'Texte',
  'words.trueAndFalse': 'true und false',
  'words.trueOrFalse': 'true oder false',
  'words.unknownError': 'unbekannter Fehler',
};

const types: Readonly<Record<string, string>> = {
  string: 'ein Text',
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'ja oder nein',
  array: 'eine Liste',
  object: 'ein Objekt',
  null: 'leer',
};

/** The types that a value may have, such as `string,null`. */
function germanTypes(type = ''): string {
  return type
    .split(',')
    .map((each) => types[each] ?? each)
    .join(' oder ');
}

const formats: Readonly<Record<string, string>> = {
  email: 'eine E-Mail-Adresse',
  uri: 'eine Internetadresse',
  date: 'ein Tag, etwa 2026-01-31',
};

function entries(limit = ''): string {
  return limit === '1' ? '1 Eintrag' : `${limit} Einträge`;
}
