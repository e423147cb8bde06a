/** The languages in which sentences about rules can be said. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];
