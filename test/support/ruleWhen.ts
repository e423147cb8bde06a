import { earnRule } from './world';

/** The conditions of a rule that concerns the activities that name it in `ext.rule`, and further conditions. */
export function isRequested(rule: string, ...more: readonly unknown[]): { all: unknown[] } {
  return { all: [{ fact: 'activity', path: '$.ext.rule', operator: 'equal', value: rule }, ...more] };
}

/** A rule for purchases that name its key in `ext.rule`. Without actions among its fields, it awards their value. */
export function ruleWhen(key: string, fields: object = {}) {
  return { ...earnRule, key, name: key, conditions: isRequested(key), ...fields };
}
