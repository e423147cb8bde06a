const key = 'loyalty-console-guided';

/** Tells whether the user of this tab follows the guide to the first points. */
export function isGuided(): boolean {
  return sessionStorage.getItem(key) !== null;
}

/** Remembers for this tab that the user follows the guide, or no more. */
export function setGuided(guided: boolean): void {
  if (guided) sessionStorage.setItem(key, 'yes');
  else sessionStorage.removeItem(key);
}
