/** The parts that an address usually has, each with other names under which clients store it. */
const usual = {
  street: ['line1', 'addressLine1'],
  postcode: ['postalCode', 'zip', 'zipCode'],
  city: ['town'],
  region: ['state'],
  country: ['countryCode'],
} as const;

/** A part of an address: its name in the record, and the field whose label it has. */
interface AddressPart {
  name: string;
  labelled: string;
}

/** The parts of an address: the usual ones, as this address names them, then what else it has. */
export function addressParts(address: unknown): AddressPart[] {
  const stored = Object.keys(typeof address === 'object' && address !== null ? address : {});
  const parts = Object.entries(usual).map(([labelled, others]) => ({
    name: stored.includes(labelled) ? labelled : (others.find((other) => stored.includes(other)) ?? labelled),
    labelled,
  }));
  const others = stored.filter((name) => parts.every((part) => part.name !== name));
  return [...parts, ...others.map((name) => ({ name, labelled: name }))];
}

/** Tells whether the name of each part is a path in a form: dots and brackets would lead to a part of another one. */
export function hasPaths(address: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(address).every((name) => /^[\p{L}\p{M}\p{N}_ /-]+$/u.test(name));
}

/** An address in a line. */
export function addressText(address: Readonly<Record<string, unknown>>): string {
  const texts = addressParts(address).map(({ name }) => address[name]);
  const shown = texts.filter((part) => part !== undefined && part !== null && part !== '');
  return shown.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part))).join(', ');
}
