/** The `action` of the log entry of an activity whose program has rule files, but no rule in force. */
export const refusedRules = 'rulesRefused';

/** Tells why no rule was asked about an activity of a program. */
export function refusedRulesMessage(code: string): string {
  return (
    `No rule of program "${code}" is in force: its rule files were refused, or not read since the program was made. ` +
    'So no rule awarded points. POST /refreshcache?entity=Rule reads the files again and names their faults.'
  );
}
