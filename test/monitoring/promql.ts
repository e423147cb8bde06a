/** A metric that an expression names, with the labels that it uses of it. */
export interface UsedMetric {
  metric: string;
  labels: string[];
}

const functions = new Set(['rate', 'increase', 'sum', 'max', 'min_over_time', 'histogram_quantile', 'label_values']);
const keywords = new Set(['by', 'or', 'and', 'unless', 'on', 'without', 'ignoring']);

/**
 * Lists the metrics of a PromQL expression, each with the labels that its matchers and the groupings of the expression
 * name. It knows what our rules and dashboards use, and throws for any other function.
 */
export function metricsOf(expression: string): UsedMetric[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll('\n', ' ');
  const groupings = [...bare.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, names = '']) => listed(names));
  const used = [...bare.matchAll(/([a-z_]\w*)\{([^}]*)\}/g)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...[...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label), ...groupings],
  }));
  const rest = bare
    .replaceAll(/[a-z_]\w*\{[^}]*\}/g, ' ')
    .replaceAll(/\b(?:by|without) \([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ');
  for (const [, word = '', call] of rest.matchAll(/\b([a-z_]\w*)\s*(\()?/g)) {
    if (call && !functions.has(word)) throw new Error(`a function that this test does not know: ${word}`);
    if (!call && !keywords.has(word)) used.push({ metric: word, labels: groupings });
  }
  return used;
}

function listed(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
