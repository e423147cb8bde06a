import type { definitions as english } from '../english/definitions';
import type { Texts } from '../texts';

/** Messages of the pages of definitions, in German. */
export const definitions: Texts<typeof english> = {
  fault: {
    lost: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.',
    forbidden: 'Ihre Rolle darf das nicht. Fragen Sie jemanden aus der Verwaltung, wenn Sie es brauchen.',
    often: 'Zu viele Anfragen auf einmal. Warten Sie einen Augenblick und versuchen Sie es dann erneut.',
    away: 'Der Dienst antwortet gerade nicht. Versuchen Sie es gleich noch einmal.',
    failed: 'Im Dienst ist ein Fehler aufgetreten. Nennen Sie dem Betrieb die Nummer der Anfrage: %{requestId}',
  },
  filter: {
    search: 'Suchen: %{field}',
    field: 'Feld',
    condition: 'Bedingung',
    value: 'Wert',
    query: 'Filter als JSON',
    apply: 'Filtern',
    operator: {
      is: 'ist',
      isNot: 'ist nicht',
      contains: 'enthält',
      above: 'ist größer als',
      from: 'ist mindestens',
      below: 'ist kleiner als',
      upTo: 'ist höchstens',
    },
  },
  definitions: {
    text: 'Woraus Programme bestehen. Mit dem, was hier steht, vergeben Regeln Punkte.',
    new: 'Neu',
    empty: 'Noch nichts da: %{name}',
    words: 'Nach jedem Eintrag die Eingabetaste drücken',
    notJson: 'Das ist kein JSON: ein Objekt in geschweiften Klammern, Namen in Anführungszeichen',
    uses: 'Benutzt von',
    rotate: 'Neues Geheimnis machen',
    test: 'Versuchs-Ereignis senden',
    tested: 'Das Ereignis wird gesendet; unter Betrieb steht, was der Empfänger geantwortet hat.',
    members: 'Mitglieder jetzt',
    noMembers: 'Kein Mitglied ist in diesem Segment.',
    groups: {
      programs: 'Programme',
      offers: 'Angebote und Prämien',
      catalog: 'Katalog',
      lists: 'Listen',
      extensions: 'Erweiterungen',
      access: 'Zugang und Verbindungen',
    },
    changes: { title: 'Eine Änderung |||| %{smart_count} Änderungen', before: 'Gespeichert', after: 'Neu' },
    conflict: {
      title: 'Jemand anderes hat das inzwischen geändert',
      text: 'Noch ist nichts gespeichert. Wählen Sie für jedes Feld, was bleiben soll: was jetzt gespeichert ist, oder Ihre Eingabe.',
      theirs: 'Jetzt gespeichert',
      mine: 'Ihre Eingabe',
      again: 'Neu beginnen mit dem Gespeicherten',
      back: 'Zurück zum Formular',
      save: 'So speichern',
    },
    delete: {
      title: '%{name} „%{title}“ löschen?',
      text: 'Das lässt sich nicht rückgängig machen. Was andere Einträge oder Regeln benutzen, kann nicht gelöscht werden.',
    },
    secret: {
      title: 'Jetzt kopieren',
      text: 'Das wird nur jetzt gezeigt. Wer es hat, handelt in seinem Namen: Bewahren Sie es wie ein Passwort auf.',
      label: 'Geheimnis',
      copy: 'Kopieren',
      copied: 'Kopiert',
      done: 'Ich habe es kopiert',
    },
  },
  resources: {
    programs: {
      name: 'Programm |||| Programme',
      text: 'Dem treten Mitglieder bei. Es hat eine Zeitzone und eine Währung.',
    },
    pursepolicies: {
      name: 'Börsenregel |||| Börsenregeln',
      text: 'Eine Art von Punkten: wie lange sie warten, wann sie verfallen, was sie kosten.',
    },
    tierpolicies: {
      name: 'Stufenmodell |||| Stufenmodelle',
      text: 'Eine Leiter von Stufen, und wodurch man sie erreicht und behält.',
    },
    offers: { name: 'Angebot |||| Angebote', text: 'Nachlass oder mehr Punkte für Produkte, Orte und Tage.' },
    rewards: { name: 'Prämie |||| Prämien', text: 'Was Mitglieder für Punkte bekommen.' },
    products: { name: 'Produkt |||| Produkte', text: 'Was verkauft wird, für Regeln darüber, was jemand gekauft hat.' },
    locations: { name: 'Ort |||| Orte', text: 'Läden und andere Orte, für Regeln darüber, wo.' },
    partners: { name: 'Partner |||| Partner', text: 'Andere Firmen, bei denen Mitglieder Punkte sammeln.' },
    namedlists: { name: 'Benannte Liste |||| Benannte Listen', text: 'Produkte, Orte oder anderes unter einem Namen.' },
    segments: { name: 'Segment |||| Segmente', text: 'Gruppen von Mitgliedern, von Hand oder durch einen Filter.' },
    enums: { name: 'Auswahlwert |||| Auswahlwerte', text: 'Werte zur Auswahl, wie Kanäle und Arten von Aktivitäten.' },
    extschemas: {
      name: 'Erweiterungsschema |||| Erweiterungsschemata',
      text: 'Eigene Felder für eine Art von Datensätzen.',
    },
    extdefs: {
      name: 'Erweiterungsfeld |||| Erweiterungsfelder',
      text: 'Ein eigenes Feld: seine Art und seine Grenzen.',
    },
    users: { name: 'Benutzer |||| Benutzer', text: 'Wer sich anmelden darf, und was er darf.' },
    apikeys: { name: 'API-Schlüssel |||| API-Schlüssel', text: 'Zugang von Kassen, Läden und anderen Servern.' },
    webhooks: {
      name: 'Webhook |||| Webhooks',
      text: 'Adressen, denen gesagt wird, was geschieht, sobald es geschieht.',
    },
  },
};
