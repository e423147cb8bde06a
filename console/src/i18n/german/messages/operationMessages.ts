import type { GermanMessages } from './germanMessages';

/** Faults of jobs, sandboxes and reports, in German. */
export const operationMessages: GermanMessages = {
  'jobs.notInTime': 'Der Lauf wurde nicht rechtzeitig fertig; den Rest macht der Zeitgeber',
  'sandbox.changedWhileCopied': 'Definitionen oder Regeln von {code} wurden geändert, während sie kopiert wurden',
  'sandbox.clockNotLater': 'muss später sein als die Uhr der Testumgebung',
  'sandbox.clockOrAdvance': 'oder advance ist nötig; nicht beides',
  'sandbox.movedOrWiped': 'Die Testumgebung wird schon vorgestellt oder geleert',
  'sandbox.noSandbox': 'Das ist keine Testumgebung: Sie hat keine eigene Uhr und lässt sich nicht leeren',
  'sandbox.twentyYearsAhead': 'darf höchstens zwanzig Jahre in der Zukunft liegen',
  'sandbox.twoYearsLater': 'darf höchstens zwei Jahre später liegen',
  'sandbox.unprocessed': '{left} wartende Aktivitäten der Testumgebung sind nicht verarbeitet',
  'insights.fromBeforeTo': 'der Beginn muss vor dem Ende liegen',
  'insights.programHexId': 'das Programm muss eine ID aus 24 hexadezimalen Zeichen sein',
  'insights.programId': 'das Programm muss eine ID aus 24 hexadezimalen Zeichen sein',
  'insights.programNeeded': 'die ID eines Programms fehlt',
  'insights.stepValues': 'die Schrittweite muss eine davon sein: {steps}',
  'insights.tooManyRecords': 'Es sind zu viele Einträge, um sie in der Zeit einer Anfrage zu lesen',
  'insights.tooManySteps': 'Der Zeitraum hat mehr als {max} Schritte; nehmen Sie längere',
};
