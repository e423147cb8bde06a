/** The rule and purse that the params of `pointsOfActivity` or `amountOfActivity` name. */
export function readAwardFilter(params: unknown): { rule?: string; purse?: string } {
  const { rule, purse }: Record<string, unknown> = { ...(params as object | undefined) };
  return {
    ...(typeof rule === 'string' ? { rule } : {}),
    ...(typeof purse === 'string' ? { purse } : {}),
  };
}
