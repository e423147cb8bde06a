import type { overview as english } from '../english/overview';
import type { Texts } from '../texts';

/** Messages of the overview, in German. */
export const overview: Texts<typeof english> = {
  overview: {
    text: '%{name}, Tage in %{zone}',
    none: 'Es gibt noch kein Programm.',
    period: 'Zeitraum',
    days: '%{smart_count} Tage |||| %{smart_count} Tage',
    tiles: {
      activities: 'Aktivitäten',
      failed: 'Abgelehnt',
      earned: 'Punkte gesammelt',
      redeemed: 'Punkte eingelöst',
      expired: 'Punkte verfallen',
      reversed: 'Punkte zurückgenommen',
      outstanding: 'Punkte offen',
      escrowed: 'davon wartend',
      liability: 'Verbindlichkeit',
      members: 'Mitglieder',
    },
    charts: { points: 'Punkte im Verlauf', activities: 'Aktivitäten im Verlauf' },
    rules: {
      title: 'Regeln mit den meisten Punkten',
      empty: 'Keine Regel hat in diesem Zeitraum Punkte vergeben.',
      rule: 'Regel',
      points: 'Punkte',
      awards: 'Vergaben',
    },
    levels: {
      title: 'Stufen',
      empty: 'Kein Mitglied hat eine Stufe.',
      policy: 'Stufenmodell',
      level: 'Stufe',
      members: 'Mitglieder',
      share: 'Von allen',
    },
    liability: {
      title: 'Verbindlichkeit',
      empty: 'Das Programm hat keine Börse.',
      purse: 'Börse',
      points: 'Punkte',
      escrowed: 'Wartend',
      cost: 'Kosten',
      expectedCost: 'Erwartete Kosten',
    },
    errors: {
      title: 'Abgelehnte Aktivitäten',
      empty: 'In diesem Zeitraum wurde nichts abgelehnt.',
      reason: 'Warum',
      count: 'Wie oft',
      codes: {
        2100: 'Nicht genug Punkte',
        2110: 'Eine Grenze oder ein Budget war aufgebraucht',
        2200: 'Das Mitglied ist nicht aktiv',
        2210: 'Das Programm ist nicht aktiv',
        2300: 'Schon storniert',
        2310: 'Nicht stornierbar',
        2320: 'Eine Bedingung der Stornierung war nicht erfüllt',
        2400: 'Eine Regel hat abgelehnt',
        2500: 'Ein Code war ungültig',
        2900: 'Eine Regel konnte nicht ausgewertet werden',
      },
    },
    budgets: {
      title: 'Budgets kurz vor dem Ende',
      empty: 'In 30 Tagen kam kein Budget seinem Ende nahe.',
      what: 'Was',
    },
    first: {
      title: 'Die ersten Punkte in fünf Minuten',
      step: 'Schritt %{at} von %{of}',
      close: 'Anleitung beenden',
      program: {
        title: 'Ein Programm',
        text: 'Mitglieder treten einem Programm bei. Es braucht einen Code, einen Namen und eine Zeitzone.',
        go: 'Programm anlegen',
      },
      purse: {
        title: 'Eine Börse',
        text: 'Eine Börse sagt, wie lange Punkte warten und wann sie verfallen.',
        go: 'Börse anlegen',
      },
      rule: {
        title: 'Eine Regel',
        text: 'Eine Regel sagt, wofür Mitglieder Punkte bekommen. Schreiben Sie eine mit der Aktion „Punkte geben“ und veröffentlichen Sie sie.',
        go: 'Regel anlegen',
      },
      member: {
        title: 'Ein Mitglied',
        text: 'Wer bekommt die Punkte? Eine Mitgliedsnummer genügt.',
        go: 'Mitglied anlegen',
      },
      points: {
        title: 'Die ersten Punkte',
        text: 'Öffnen Sie ein Mitglied und melden Sie eine Aktivität. Die Antwort sagt, welche Regel wie viele Punkte gab.',
        go: 'Zu den Mitgliedern',
      },
      done: { text: 'Die ersten Punkte sind da. Der Überblick zeigt sie.', go: 'Zum Überblick' },
    },
  },
};
