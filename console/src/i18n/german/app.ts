import type { app as english } from '../english/app';
import type { Texts } from '../texts';

/** Messages of the frame of the console, in German. */
export const app: Texts<typeof english> = {
  console: { name: 'Loyalty-Konsole', short: 'Loyalty', menu: 'Bereiche der Konsole', language: 'Sprache' },
  menu: {
    overview: 'Überblick',
    members: 'Mitglieder',
    rules: 'Regeln',
    definitions: 'Definitionen',
    operations: 'Betrieb',
    audit: 'Protokoll',
  },
  signIn: {
    title: 'Anmelden',
    username: 'Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    or: 'oder',
    oidc: 'Mit dem Firmenkonto anmelden',
    fault: {
      wrong: 'Der Benutzername oder das Passwort ist falsch.',
      begin: 'Diese Anmeldung ist abgelaufen oder wurde abgelehnt. Beginnen Sie neu.',
      noRole: 'Ihr Konto hat hier keine Rolle. Fragen Sie jemanden aus der Verwaltung.',
      often: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann erneut.',
      away: 'Der Dienst antwortet gerade nicht. Versuchen Sie es gleich noch einmal.',
      lost: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.',
    },
    again: {
      title: 'Ihre Sitzung ist beendet',
      text: 'Melden Sie sich wieder an, um weiterzumachen. Nichts von dem, was Sie eingegeben haben, geht verloren.',
      leave: 'Verlassen, ohne zu speichern',
    },
  },
  account: {
    title: 'Ihr Passwort',
    oidc: 'Sie melden sich mit dem Firmenkonto an; Ihr Passwort ändern Sie dort.',
    current: 'Jetziges Passwort',
    new: 'Neues Passwort',
    rule: '10 bis 200 Zeichen. Ihre anderen Sitzungen enden.',
    change: 'Passwort ändern',
    changed: 'Das Passwort ist geändert.',
    wrong: 'Das jetzige Passwort ist falsch.',
  },
  page: {
    forbidden: {
      title: 'Das ist nicht für Ihre Rolle',
      text: 'Ihre Rolle darf diese Seite nicht sehen. Fragen Sie jemanden aus der Verwaltung, wenn Sie sie brauchen.',
    },
    notFound: {
      title: 'Diese Seite gibt es nicht',
      text: 'Die Adresse ist vielleicht falsch geschrieben. Nehmen Sie das Menü oder drücken Sie Strg+K.',
    },
    failed: {
      title: 'Diese Seite konnte nicht angezeigt werden',
      text: 'Laden Sie die Seite neu. Hilft das nicht, sagen Sie es dem Betrieb.',
    },
    signedIn: { title: 'Sie sind angemeldet', text: 'Sie können diesen Tab schließen und im anderen weitermachen.' },
  },
  palette: {
    open: 'Suchen',
    title: 'Gehe zu …',
    none: 'Nichts mit diesem Namen',
    pages: 'Seiten',
    definitions: 'Definitionen',
    new: 'Neu',
    newOne: 'Neu: %{name}',
    findMember: 'Mitglied suchen: %{text}',
  },
};
