/**
 * What an `Authorization` header has after its scheme `Bearer`, and after any number of blanks (RFC 9110, 11.4); undefined
 * for another scheme.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S.*)$/i.exec(authorization ?? '')?.[1];
}
