import type { templates as english } from '../english/ruleTemplates';
import type { Texts } from '../texts';

/** What a new rule may begin with, in German: a name, and what it does. */
export const templates: Texts<typeof english> = {
  base: { name: 'Grundpunkte', text: 'Punkte für das, was ausgegeben wird' },
  product: { name: 'Mehr für Produkte', text: 'Mehr Punkte auf Positionen einer Kategorie, Marke oder Liste' },
  day: { name: 'Mehr an einem Tag', text: 'Mehr Punkte dienstags oder zu bestimmten Stunden' },
  level: { name: 'Mehr für eine Stufe', text: 'Mitglieder einer Stufe bekommen die Hälfte dazu' },
  welcome: { name: 'Willkommen', text: 'Punkte für den Beitritt' },
  birthday: { name: 'Geburtstag', text: 'Punkte am Morgen des Geburtstags, einmal im Jahr' },
  goal: { name: 'Umsatzziel', text: 'Punkte, wenn der Monat eine Summe erreicht' },
  stamps: { name: 'Stempelkarte', text: 'Punkte bei jedem zehnten Besuch' },
  winBack: { name: 'Zurückgewinnen', text: 'Punkte für das Wiederkommen nach 60 Tagen' },
  partner: { name: 'Partner', text: 'Mehr Punkte bei einem Partner' },
  empty: { name: 'Leere Regel', text: 'Von Anfang an selbst geschrieben' },
};
