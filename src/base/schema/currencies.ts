import { type Message, message } from '#base/common/messages/message';

/**
 * The currencies of ISO 4217, without metals, funds and test codes. Some of the last years are still there (BGN, HRK,
 * ANG, ZWL), since histories have them. This list is our own, because the list of the runtime changes with its version.
 */
export const currencies: readonly string[] = `
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF
  CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK
  HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
  MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
  RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
  UYU UZS VED VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU YER ZAR ZMW ZWG ZWL
`
  .trim()
  .split(/\s+/);

const known = new Set(currencies);

/** What tills send in place of a code. */
const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  US$: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
};

/** Says what is wrong with the code of a currency; undefined when it is one. */
export function currencyFault(code: string): Message | undefined {
  if (known.has(code)) return undefined;
  const bare = code.trim().toUpperCase();
  const meant = signs[bare] ?? (known.has(bare) ? bare : undefined);
  const fault = message('schema.currency');
  return meant === undefined ? fault : message('words.didYouMean', { fault, name: meant });
}
