/** The parts that an address usually has, each with other names under which clients store it. */
const usual = {
  street: ['line1', 'addressLine1'],
  postcode: ['postalCode', 'zip', 'zipCode'],
  city: ['town'],
  region: ['state'],
  country: ['countryCode'],
} as const;

/** The names of the parts of an address: the usual ones, as this address calls them, then what else it has. */
export function addressParts(address: unknown): string[] {
  const stored = Object.keys(typeof address === 'object' && address !== null ? address : {});
  const named = Object.entries(usual).map(([name, others]) =>
    stored.includes(name) ? name : (others.find((other) => stored.includes(other)) ?? name),
  );
  return [...named, ...stored.filter((name) => !named.includes(name))];
}

/** An address in a line. */
export function addressText(address: Readonly<Record<string, unknown>>): string {
  const texts = addressParts(address).map((name) => address[name]);
  const shown = texts.filter((part) => part !== undefined && part !== null && part !== '');
  return shown.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part))).join(', ');
}
