import type { SimulationResult } from '#engine/rules/simulate/simulationResult';

/** Reports the result of a simulation in lines: totals, a table of rules, winners, losers and missing facts. */
export function reportSimulation(result: SimulationResult): string[] {
  const { activities, differing, failing, points, liability, members, groups, rules, offers } = result;
  return [
    `${activities} activities: ${differing} would get other points, ${failing} would be refused`,
    `Points ${points.before} -> ${points.after} (${signed(points.difference)}), liability ${signed(liability)}`,
    `Members ${members.total}: ${members.winners} win, ${members.losers} lose, ${members.unchanged} stay`,
    '',
    ...table(
      ['rule', 'change', 'fired', 'then', 'points', 'then', 'difference'],
      rules.map(({ program, key, change, before, after, difference }) => [
        `${program}/${key}`,
        change,
        ...[before.fired, after.fired, before.points, after.points].map(String),
        signed(difference),
      ]),
    ),
    ...offerLines(offers),
    ...membersLines('Most won', members.mostWon),
    ...membersLines('Most lost', members.mostLost),
    ...groups.map(
      ({ by, name, activities: count, difference }) => `${by} ${name}: ${signed(difference)} in ${count} activities`,
    ),
    ...rules.flatMap(missingLines),
  ];
}

function offerLines(rows: SimulationResult['offers']): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ program, offer, before, after, difference }) => [
    `${program}/${offer}`,
    ...[before.applied, after.applied, before.points, after.points].map(String),
    signed(difference),
  ]);
  return ['', ...table(['offer', 'applied', 'then', 'points', 'then', 'difference'], lines)];
}

function membersLines(title: string, rows: SimulationResult['members']['mostWon']): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ member, before, after, difference }) => [
    member,
    String(before),
    String(after),
    signed(difference),
  ]);
  return ['', ...table([title, 'points', 'then', 'difference'], lines)];
}

function missingLines({ program, key, notEvaluated, missing }: SimulationResult['rules'][number]): string[] {
  return missing.map(
    ({ fact, activities }) =>
      `${program}/${key} reads ${fact}, which is not stored for ${activities} of ${notEvaluated} activities; their past awards stay`,
  );
}

/** Lays out a table with columns as wide as their widest cell. All columns but the first are aligned to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
}

function padded(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
