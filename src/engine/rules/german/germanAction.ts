import { definitionOf } from '../actions/list';
import { germanValue } from '../words/german/germanValue';

/** An action in German: `10 Punkte in die Börse "Points" geben`. For an unknown action, its name and params. */
export function germanAction({ type, ...params }: { type: string }): string {
  const { de, en } = definitionOf(type)?.words ?? {};
  return (de ?? en)?.(params) ?? `${type} ${germanValue(params)}`;
}
