/** What was different in tests of rules, and faults of such tests, in German. */
export const testFaults: Readonly<Record<string, string>> = {
  'the amounts of program {} are in {}: the service refuses this activity':
    'die Beträge des Programms {1} sind in {2}: Der Dienst lehnt diese Aktivität ab',
  'test "{}" fails: {}': 'der Test „{1}“ ist nicht bestanden: {2:said}',
  'expected {} {}, got {}': 'erwartet: {1} {2}, gekommen: {3}',
  'expected data {} {}, got {}': 'erwartet in den Daten: {1} {2}, gekommen: {3:said}',
  'expected error {}, got {}': 'erwartet: Fehler {1}, gekommen: {2:said}',
  'unexpected error {}': 'unerwarteter Fehler: {1:said}',
  '{} at step {} ({})': '{1:said} bei Schritt {2} ({3})',
  'expected balance {} {}, got {}': 'erwarteter Stand: {1} {2}, gekommen: {3}',
  'expected available {} {}, got {}': 'erwartet verfügbar: {1} {2}, gekommen: {3}',
  'expected level {} of {}, got {}': 'erwartete Stufe: {1} in {2}, gekommen: {3:said}',
  'expected {} points of "{}" returned, got {}': 'erwartet: {1} Punkte von „{2}“ zurück, gekommen: {3}',
  'expected {} applied with {}, got {}': 'erwartet: {1} angewendet mit {2}, gekommen: {3:said}',
  'expected {} not applied, got {}': 'erwartet: {1} nicht angewendet, gekommen: {2}',
  'expected {} issued, got {}': 'erwartet: {1} ausgegeben, gekommen: {2}',
  'expected {} in money for {}, got {}': 'erwartet: {1} in Geld für {2}, gekommen: {3}',
  'expected {} for the head of the family, got {}': 'erwartet: {1} für das Familienoberhaupt, gekommen: {2}',
  'expected no offers, got {}': 'erwartet: kein Angebot, gekommen: {1:said}',
  'expected no rewards, got {}': 'erwartet: keine Prämie, gekommen: {1:said}',
  'expected no money, got {}': 'erwartet: nichts in Geld, gekommen: {1:said}',
  'expected no pool, got {}': 'erwartet: nichts für das Familienoberhaupt, gekommen: {1:said}',
  '{} applied with {}': '{1} angewendet mit {2}',
  '{} issued': '{1} ausgegeben',
  '{} in money for {}': '{1} in Geld für {2}',
  '{} for the head of the family': '{1} für das Familienoberhaupt',
  none: 'keiner',
  missing: 'nichts',
  '"{}" did not fire': '„{1}“ griff nicht',
  '"{}" did not fire ({})': '„{1}“ griff nicht ({2:said})',
  '"{}" fired': '„{1}“ griff',
  'no row of it': 'keine ihrer Zeilen',
  'it is for other activity types': 'sie ist für andere Arten von Aktivitäten',
  '{}, but it is {}': '{1}, es ist aber {2:said}',
  'activities[{}]: {}': 'Aktivität {1}, von 0 gezählt: {2:said}',
  'step {} ({}): {}': 'Schritt {1} ({2}): {3:said}',
  'a test has either "steps" or activities of its own': 'ein Test hat entweder „steps“ oder eigene Aktivitäten',
  'a test has either "activity" or "activities"': 'ein Test hat entweder „activity“ oder „activities“',
  'a test needs "activity", several in "activities", or "steps"':
    'ein Test braucht „activity“, mehrere in „activities“, oder „steps“',
  'a step has one of "activity", "cancel" and "wait"': 'ein Schritt hat genau eines: „activity“, „cancel“ oder „wait“',
  '"step" is the position, from 1, of an earlier step with an activity; {}':
    '„step“ ist die Nummer eines früheren Schritts mit einer Aktivität, von 1 an; {1:said}',
  'there is none': 'es gibt keinen',
  'there are: {}': 'es gibt: {1}',
  'a wait has "value" and "unit", such as 14 and "day", or "until", such as "2026-10-01"':
    '„wait“ hat „value“ und „unit“, etwa 14 und „day“, oder „until“, etwa „2026-10-01“',
  '"until" is a date, such as "2026-10-01" or "2026-10-01T12:00:00Z"':
    '„until“ ist ein Datum, etwa „2026-10-01“ oder „2026-10-01T12:00:00Z“',
  'only a step with "cancel" returns points': 'nur ein Schritt mit „cancel“ gibt Punkte zurück',
  'unknown level "{}"': 'unbekannte Stufe „{1}“',
  'unknown tier level "{}"': 'unbekannte Stufe „{1}“',
  'in a test with steps, {}': 'in einem Test mit Schritten: {1:said}',
  '"tier" gives the level, and so its number': '„tier“ nennt die Stufe und damit ihre Nummer',
  'the tier policy says when the level ends; "tierSince" says since when it counts':
    'das Stufenmodell sagt, wann die Stufe endet; „tierSince“ sagt, seit wann sie zählt',
  'only a rule begins a challenge; let a step do it':
    'nur eine Regel beginnt eine Herausforderung; nehmen Sie einen Schritt',
  'in a test with steps, {} of {} must be {}; it is {}':
    'in einem Test mit Schritten muss {1} von {2} {3} sein; angegeben ist {4}',
  'birthDate {}; the story begins at {}': 'birthDate {1:said}; die Geschichte beginnt am {2}',
  '{} must not be after the story begins, at {}': '{1} darf nicht nach dem Beginn der Geschichte liegen, {2}',
  'the member has no "{}" in "{}"': 'das Mitglied hat kein „{1}“ in „{2}“',
  'the steps of a test last at most 100 years': 'die Schritte eines Tests dauern höchstens 100 Jahre',
  'is in the past: here the story is at {}; name a later date':
    'liegt in der Vergangenheit: Hier ist die Geschichte bei {1}; nennen Sie ein späteres Datum',
  'must not be Cancellation: a step with "cancel" returns an activity':
    'darf nicht Cancellation sein: Ein Schritt mit „cancel“ gibt eine Aktivität zurück',
  'refers to no activity of the story: leave it out': 'gehört zu keiner Aktivität der Geschichte: Lassen Sie es weg',
  'names another member: a story has one, so leave it out':
    'nennt ein anderes Mitglied: Eine Geschichte hat eines; lassen Sie es weg',
  'No rule of the test is for {}; "fired" names further ones.':
    'Keine Regel des Tests ist für {1}; „fired“ nennt weitere.',
};
