/** Whether a file in the folder of a program holds rules, by its name. Hidden files are ignored. */
export function isRuleFile(name: string): boolean {
  return name.endsWith('.json') && !isHidden(name);
}

/** Whether a file in the folder of a program holds the rows of a table, by its name. */
export function isTable(name: string): boolean {
  return name.endsWith('.csv') && !isHidden(name);
}

/** Whether a file is hidden: nobody means it as a rule file. */
export function isHidden(name: string): boolean {
  return name.startsWith('.');
}
