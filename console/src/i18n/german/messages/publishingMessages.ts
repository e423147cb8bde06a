import type { GermanMessages } from './germanMessages';

/** Faults of proposals and simulations, in German. */
export const publishingMessages: GermanMessages = {
  'proposals.changedSince': '{path} oder eine andere Datei des Programms wurde seit dem Vorschlag geändert',
  'proposals.decidedMeanwhile': 'Über den Vorschlag wurde inzwischen entschieden',
  'proposals.otherUserApproves': 'Jemand anderes muss den Vorschlag genehmigen',
  'proposals.personApproves': 'Regeln genehmigt ein Mensch, kein API-Schlüssel',
  'proposals.personRejects': 'Regeln lehnt ein Mensch ab, kein API-Schlüssel',
  'proposals.rulesOrVersion': 'ist nötig, oder eine Version; nicht beides',
  'proposals.tooLarge': 'haben vorher und nachher zusammen mehr als {max} Bytes',
  'proposals.tooMany': 'Es warten schon {max} Vorschläge; entscheiden Sie zuerst über einen',
  'proposals.tooOld': 'Der Vorschlag ist zu alt; schlagen Sie die Änderung neu vor',
  'simulations.begunInVain':
    'Sie wurde dreimal begonnen: Während sie lief, endete ihr Prozess, oder die Datenbank war weg',
  'simulations.inRulesSent': '{fault} (in den gesendeten Regeln)',
  'simulations.noFileOfProgram': 'keine der Dateien ist von diesem Programm',
  'simulations.programCodeOrId': 'muss der Code oder die ID eines Programms sein',
  'simulations.programNeeded': 'sagen Sie, zu welchem Programm die Regeln gehören',
  'simulations.rulesOrFiles': 'nennen Sie entweder Regeln oder Dateien',
  'simulations.rulesTooLarge': 'alle Regeln zusammen sind größer als 12 MB',
  'simulations.toBeforeFrom': 'muss nach dem Beginn liegen',
  'simulations.tooMany': 'Es warten oder laufen schon {max} Simulationen',
  'simulations.tooManyCounters': 'zu viele Zähler von Grenzen: nehmen Sie eine Stichprobe der Mitglieder',
  'simulations.tooManyMembers': 'mehr als {max} Mitglieder: nehmen Sie eine Stichprobe',
};
