/** What the checks find in rules and their actions, in German. */
export const ruleFaults: Readonly<Record<string, string>> = {
  'unknown field "{}"': 'unbekanntes Feld „{1}“',
  'unknown {} "{}"': 'unbekannt: {1:said} „{2}“',
  'unknown "{}"': 'unbekannt: „{1}“',
  'unknown segment "{}"': 'unbekanntes Segment „{1}“',
  'unknown purse "{}"': 'unbekannte Börse „{1}“',
  'unknown tier policy "{}"': 'unbekanntes Stufenmodell „{1}“',
  'unknown activity type "{}"': 'unbekannte Art der Aktivität „{1}“',
  'unknown offer "{}"': 'unbekanntes Angebot „{1}“',
  'unknown reward "{}"': 'unbekannte Prämie „{1}“',
  'unknown static segment "{}"': 'unbekanntes Segment „{1}“',
  purse: 'Börse',
  offer: 'Angebot',
  reward: 'Prämie',
  segment: 'Segment',
  'tier level': 'Stufe',
  'tier policy': 'Stufenmodell',
  'activity type': 'Art der Aktivität',
  'to must be later than from': 'das Ende muss nach dem Beginn liegen',
  'to must not be before from': 'das Ende darf nicht vor dem Beginn liegen',
  'from and to are the same time; leave both out for the whole day':
    'Beginn und Ende sind dieselbe Zeit; lassen Sie für den ganzen Tag beide weg',
  'a group needs "pick": all, first, highest or lowest': 'eine Gruppe braucht „pick“: all, first, highest oder lowest',
  '"pick" needs a "group"': '„pick“ braucht eine Gruppe („group“)',
  'a rule for Cancellation may only have {}': 'eine Regel für Rückgaben (Cancellation) darf nur haben: {1}',
  'a rule for Scheduled has no other type that the calendar brings':
    'eine Regel nach Plan (Scheduled) hat keine andere Art, die der Kalender bringt',
  'a rule for Scheduled needs a "schedule", such as {}':
    'eine Regel nach Plan (Scheduled) braucht „schedule“, etwa {1}',
  'a rule for PointsExpiring needs a "schedule", such as {}':
    'eine Regel für den baldigen Verfall (PointsExpiring) braucht „schedule“, etwa {1}',
  '"schedule" needs one of the activity types Scheduled, Birthday, Anniversary, PointsExpiring':
    '„schedule“ braucht eine der Arten Scheduled, Birthday, Anniversary, PointsExpiring',
  '"{}" is not for rules of Scheduled': '„{1}“ ist nicht für Regeln nach Plan (Scheduled)',
  '"{}" is for rules of Scheduled': '„{1}“ ist nur für Regeln nach Plan (Scheduled)',
  '"every": "{}" {}': '„every“: „{1}“ {2:said}',
  'has no "on"': 'hat kein „on“',
  'needs "on": a day of the week, such as "Mon"': 'braucht „on“: einen Tag der Woche, etwa „Mon“',
  'needs "on": a day of the month, such as 1 or "last"': 'braucht „on“: einen Tag des Monats, etwa 1 oder „last“',
  'needs "on": a day, such as "12-24"': 'braucht „on“: einen Tag, etwa „12-24“',
  'points of completeReferral are not counted; limit its times':
    'Punkte von completeReferral werden nicht gezählt; begrenzen Sie, wie oft es geschieht',
  'counts the same as limits[{}]; one of them is enough': 'zählt dasselbe wie limits[{1}]; eines davon genügt',
  '"per": "product" needs "perLine": true': '„per“: „product“ braucht „perLine“: true',
  'only a member has a year of its own: this period needs "per": "member"':
    'nur ein Mitglied hat ein eigenes Jahr: Dieser Zeitraum braucht „per“: „member“',
  'a limit of amount needs one action addPoints whose points are computed from a fact':
    'eine Grenze des Betrags braucht genau eine Aktion addPoints, deren Punkte aus einer Angabe berechnet werden',
  'the limit group "{}" has "{}": {} by {}': 'die Gruppe von Grenzen „{1}“ hat „{2}“: {3} in {4}',
  'no rule has the key "{}"': 'keine Regel hat den Schlüssel „{1}“',
  '"{}" has priority {}; only a rule with more than {} gives before':
    '„{1}“ hat die Priorität {2}; nur eine Regel mit mehr als {3} gibt vorher',
  'the key "{}" is taken by {}': 'den Schlüssel „{1}“ hat schon {2}',
  'the group "{}" has "pick": "{}" in {}': 'die Gruppe „{1}“ hat „pick“: „{2}“ in {3}',
  '"pick": "{}" needs one priority for the whole group; {} has {}':
    '„pick“: „{1}“ braucht eine Priorität für die ganze Gruppe; {2} hat {3}',
  '{} must be 0 or more; it is {}': '{1} muss mindestens 0 sein; angegeben ist {2}',
  'points of {} do not expire by inactivity; only its purse policy can say so':
    'Punkte von {1} verfallen nicht durch Untätigkeit; das kann nur die Börse festlegen',
  'the segment "{}" selects members by a query; only static ones can be changed':
    'das Segment „{1}“ wählt Mitglieder nach einem Filter; nur Segmente von Hand lassen sich ändern',
  '"{}" is a metric that the service counts itself': '„{1}“ ist eine Kennzahl, die der Dienst selbst zählt',
  '"{}" is a new metric': '„{1}“ ist eine neue Kennzahl',
  'no rule counts the metric "{}"': 'keine Regel zählt die Kennzahl „{1}“',
  'no rule counts the metric "{}" of the tier policy "{}"':
    'keine Regel zählt die Kennzahl „{1}“ des Stufenmodells „{2}“',
  '{} needs {}': '{1} braucht {2:said}',
  '"with" has no value "{}"': '„with“ hat keinen Wert „{1}“',
  'no text has {{{}}}': 'kein Text enthält {{{1}}}',
  '"{}" is no language tag, such as en or de-CH': '„{1}“ ist kein Kürzel einer Sprache wie en oder de-CH',
  'must be one of "rewards"': 'muss eine der Prämien in „rewards“ sein',
  'setData needs "values" or "texts"': 'setData braucht „values“ oder „texts“',
  '"values" has the field "{}" too': '„values“ hat das Feld „{1}“ auch',
  'must be {} or before': 'darf höchstens {1} sein',
  'a level has until (a day) or for (a time), not both':
    'eine Stufe gilt bis zu einem Tag oder für eine Dauer, nicht beides',
  'value 0 needs a snap, such as endOfYear': 'der Wert 0 braucht das Ende eines Zeitraums, etwa endOfYear',
  'a challenge needs a time: until (a day) or for':
    'eine Herausforderung braucht eine Zeit: bis zu einem Tag oder eine Dauer',
  'a transfer needs one of "toPurse" and "toMember"': 'eine Übertragung braucht entweder „toPurse“ oder „toMember“',
  'the points would stay in their purse': 'die Punkte blieben in ihrer Börse',
  'only a part of the activity can name the receiver': 'nur eine Angabe der Aktivität kann den Empfänger nennen',
  'max must not be below min': 'das Höchste darf nicht unter dem Mindesten liegen',
  'these are {} operands; a computation has at most {}': 'das sind {1} Werte; eine Berechnung hat höchstens {2}',
  'an operand is a number, a fact or a computation': 'hier steht eine Zahl, eine Angabe oder eine Berechnung',
  'an operand is a number, a fact, or one of {}': 'hier steht eine Zahl, eine Angabe oder eines davon: {1}',
  'computations nest deeper than {} levels': 'Berechnungen sind tiefer als {1} Ebenen verschachtelt',
  '"{}" and "{}" stand in one computation; nest one in the other':
    '„{1}“ und „{2}“ stehen in einer Berechnung; stellen Sie eine in die andere',
  '"{}" needs a list of two operands': '„{1}“ braucht eine Liste von zwei Werten',
  '"{}" needs a list of at least two operands': '„{1}“ braucht eine Liste von mindestens zwei Werten',
  '{} is a {}; {} needs a number': '{1} ist keine Zahl, sondern {2:said}; {3} braucht eine Zahl',
  text: 'ein Text',
  date: 'ein Datum',
  list: 'eine Liste',
  '"{}"': '„{1}“',
  'also has {} under the same conditions as "{}" ({})': 'hat {1} unter denselben Bedingungen wie „{2}“ ({3})',
  'ended on {}; only activities dated before can still meet it':
    'endete am {1}; nur Aktivitäten davor können sie noch erfüllen',
  'never fires: what meets it meets a rule that {}: "{}" ({})':
    'greift nie: Was sie erfüllt, erfüllt auch eine Regel, die {1:said}: „{2}“ ({3})',
  'is the first of the group': 'die erste der Gruppe ist',
  'stops all after it': 'alle nach ihr aufhält',
  'never fires: its conditions contradict each other': 'greift nie: Ihre Bedingungen widersprechen einander',
  'never fires: it needs that {}': 'greift nie: Dafür müsste gelten: {1}',
  'never fires: it needs at once that {}': 'greift nie: Dafür müsste zugleich gelten: {1}',
};
