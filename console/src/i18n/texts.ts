/** The shape of messages in another language: the same names, other texts. */
export type Texts<T> = { readonly [Name in keyof T]: T[Name] extends string ? string : Texts<T[Name]> };
