import type { GermanMessages } from './germanMessages';

/** Faults of users, sign-ins and API keys, in German. */
export const accessMessages: GermanMessages = {
  'apiKeys.endsBefore':
    'Dieser API-Schlüssel endet am {date}; kein Schlüssel, den er anlegt oder ändert, darf später enden',
  'apiKeys.hasBeyond': 'Der API-Schlüssel hat das Recht {permission}, das Sie nicht haben',
  'apiKeys.noPermission': 'ist kein Recht, das der Dienst kennt',
  'apiKeys.rateLimitAbove':
    'Dieser API-Schlüssel darf {rateLimit} Anfragen je Minute stellen; kein Schlüssel, den er anlegt oder ändert, darf mehr',
  'apiKeys.roleOrPermissions': 'oder die Rechte müssen sagen, was der Schlüssel darf',
  'apiKeys.tooMany': 'geht über die {max} API-Schlüssel hinaus, die möglich sind',
  'apiKeys.tooManySecrets':
    'ließe mehr als {max} Fassungen des Schlüssels gültig: Warten Sie, oder wählen Sie eine kürzere Überschneidung',
  'users.belongsToKey': 'gehört zu einem API-Schlüssel',
  'users.codeNotValid': 'Der Code ist nicht gültig; melden Sie sich erneut an',
  'users.deactivated': 'Ihr Benutzer ist nicht mehr aktiv',
  'users.fromProvider': 'kommt vom Firmenkonto (OpenID)',
  'users.hasBeyond': 'Der Benutzer hat das Recht {permission}, das Sie nicht haben',
  'users.lastAdmin': 'ist der letzte aktive Benutzer mit der Rolle admin',
  'users.loginIncorrect': 'Der Benutzername oder das Passwort ist falsch',
  'users.noOrg': 'Die Organisation {code} gibt es nicht',
  'users.noPasswordHere': 'Sie melden sich mit dem Firmenkonto an und haben hier kein Passwort',
  'users.noRole': 'Ihr Firmenkonto hat hier keine Rolle',
  'users.ofApiKey': 'steht für einen API-Schlüssel',
  'users.otherBrowser': 'Diese Anmeldung wurde nicht in diesem Browser begonnen; beginnen Sie neu',
  'users.passwordIncorrect': 'Das bisherige Passwort ist falsch',
  'users.providerAway': 'Die Anmeldung der Firma antwortet nicht; versuchen Sie es später erneut',
  'users.returnTo': 'returnTo muss eine Seite der Konsole sein',
  'users.signInFailed': 'Die Anmeldung ist gescheitert oder abgelaufen; beginnen Sie neu',
  'users.systemUser': 'ist der Benutzer, der für den Dienst selbst steht',
  'users.tooManySignIns': 'Zu viele Anmeldungen warten auf das Firmenkonto; versuchen Sie es später erneut',
};
