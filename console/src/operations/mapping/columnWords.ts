import type { ImportKind } from './importFields';

type Words = Readonly<Record<string, readonly string[]>>;

/**
 * What people call the columns of a field, in English and German, without blanks, case and signs. The first field of a kind
 * that has a word gets the column.
 */
const everywhere: Words = {
  loyaltyID: [
    'cardnumber',
    'cardno',
    'card',
    'loyaltyid',
    'loyaltynumber',
    'memberid',
    'membernumber',
    'customernumber',
    'customerno',
    'customerid',
    'kartennummer',
    'kartennr',
    'karte',
    'kundennummer',
    'kundennr',
    'kundenkarte',
    'kundenkartennummer',
    'mitgliedsnummer',
    'mitgliedsnr',
    'mitgliednr',
    'bonuskarte',
  ],
};

const byKind: Record<ImportKind, Words> = {
  members: {
    firstName: ['firstname', 'givenname', 'forename', 'vorname', 'rufname'],
    lastName: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'zuname'],
    email: ['email', 'emailaddress', 'mail', 'emailadresse', 'mailadresse'],
    phone: ['phone', 'phonenumber', 'mobile', 'telephone', 'telefon', 'telefonnummer', 'handy', 'mobilnummer'],
    birthDate: ['birthdate', 'dateofbirth', 'dob', 'birthday', 'geburtsdatum', 'geburtstag', 'gebdatum'],
    enrolledAt: [
      'enrolledat',
      'enrolled',
      'membersince',
      'joined',
      'joindate',
      'mitgliedseit',
      'eintritt',
      'eintrittsdatum',
      'kundeseit',
    ],
    locale: ['language', 'locale', 'sprache'],
    'address.street': ['street', 'strasse', 'anschrift'],
    'address.postcode': ['zip', 'zipcode', 'postcode', 'postalcode', 'plz', 'postleitzahl'],
    'address.city': ['city', 'town', 'ort', 'stadt', 'wohnort'],
    'address.region': ['region', 'state', 'province', 'bundesland'],
    'address.country': ['country', 'land'],
    program: ['program', 'programme', 'programm', 'loyaltyprogram'],
  },
  accrualitems: {
    externalId: [
      'externalid',
      'id',
      'awardid',
      'bookingnumber',
      'buchungsnummer',
      'belegnummer',
      'belegnr',
      'vorgang',
      'vorgangsnummer',
    ],
    accruedPoints: ['points', 'accruedpoints', 'pointsearned', 'punkte', 'bonuspunkte', 'gutschrift'],
    purse: ['purse', 'account', 'geldborse', 'punktekonto', 'konto'],
    dtEarned: ['date', 'earnedat', 'dateearned', 'datum', 'buchungsdatum', 'gutgeschriebenam'],
    dtExpiresOn: ['expirationdate', 'expires', 'expiry', 'validuntil', 'verfallsdatum', 'gultigbis', 'ablaufdatum'],
    dtEscrowsOn: ['escrowdate', 'availablefrom', 'verfugbarab'],
  },
  activities: {
    externalTxnId: [
      'receipt',
      'receiptnumber',
      'receiptno',
      'receiptid',
      'transaction',
      'transactionid',
      'transactionnumber',
      'ordernumber',
      'orderid',
      'invoicenumber',
      'bonnr',
      'bonnummer',
      'bon',
      'belegnr',
      'belegnummer',
      'beleg',
      'kassenbon',
      'rechnungsnummer',
      'rechnungsnr',
      'bestellnummer',
      'transaktion',
      'transaktionsnummer',
    ],
    date: [
      'date',
      'datetime',
      'timestamp',
      'purchasedate',
      'transactiondate',
      'datum',
      'datumuhrzeit',
      'zeitpunkt',
      'kaufdatum',
      'bondatum',
      'belegdatum',
    ],
    value: [
      'amount',
      'total',
      'totalamount',
      'value',
      'sum',
      'sales',
      'turnover',
      'betrag',
      'gesamtbetrag',
      'umsatz',
      'summe',
      'bonsumme',
      'gesamt',
      'gesamtsumme',
    ],
    type: ['type', 'activitytype', 'art', 'typ', 'vorgangsart'],
    srcChannelType: ['channel', 'channeltype', 'kanal', 'vertriebskanal'],
    srcChannelID: ['till', 'tillnumber', 'register', 'kasse', 'kassennummer', 'kassennr'],
    locationId: [
      'location',
      'store',
      'storenumber',
      'branch',
      'shop',
      'filiale',
      'filialnummer',
      'filialnr',
      'standort',
    ],
    currencyCode: ['currency', 'currencycode', 'wahrung'],
    couponCode: ['coupon', 'couponcode', 'gutschein', 'gutscheincode'],
    payPoints: ['paypoints', 'pointspaid', 'paidwithpoints', 'bezahltepunkte', 'eingelostepunkte'],
  },
  products: {
    sku: [
      'sku',
      'article',
      'articlenumber',
      'articleno',
      'itemnumber',
      'productnumber',
      'productid',
      'artikelnummer',
      'artikelnr',
      'artikel',
      'artnr',
      'produktnummer',
    ],
    name: [
      'name',
      'title',
      'productname',
      'articlename',
      'bezeichnung',
      'artikelbezeichnung',
      'produktname',
      'produkt',
    ],
    price: ['price', 'unitprice', 'preis', 'verkaufspreis', 'vkpreis', 'einzelpreis'],
    category: ['category', 'productgroup', 'kategorie', 'warengruppe'],
    subcategory: ['subcategory', 'unterkategorie'],
    brand: ['brand', 'marke', 'hersteller'],
  },
  locations: {
    number: [
      'number',
      'storenumber',
      'storeno',
      'branchnumber',
      'store',
      'filialnummer',
      'filialnr',
      'filiale',
      'nummer',
    ],
    name: ['name', 'storename', 'branchname', 'filialname', 'bezeichnung'],
    'address.street': ['street', 'strasse', 'anschrift'],
    'address.postcode': ['zip', 'zipcode', 'postcode', 'postalcode', 'plz', 'postleitzahl'],
    'address.city': ['city', 'town', 'ort', 'stadt', 'wohnort'],
    'address.region': ['region', 'state', 'province', 'bundesland'],
    'address.country': ['country', 'land'],
    timezone: ['timezone', 'zeitzone'],
  },
  coupons: {
    code: ['code', 'coupon', 'couponcode', 'voucher', 'vouchercode', 'gutschein', 'gutscheincode'],
    reward: ['reward', 'rewardcode', 'pramie', 'belohnung'],
    validFrom: ['validfrom', 'startdate', 'gultigab', 'gultigvon', 'beginn'],
    validUntil: ['validuntil', 'validto', 'expires', 'expirydate', 'enddate', 'gultigbis', 'ablaufdatum', 'ende'],
  },
};

/** The words of a name of a column: without case, blanks, accents and signs. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[([].*?[)\]]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The fields that a column may be by what people call it, the likeliest first. */
export function fieldsCalled(name: string, kind: ImportKind): string[] {
  const plain = plainName(name);
  const tables = [byKind[kind], kind === 'products' || kind === 'locations' ? {} : everywhere];
  return tables.flatMap((words) =>
    Object.entries(words).flatMap(([field, some]) => (some.includes(plain) ? [field] : [])),
  );
}

/** Every field that a kind has words for. */
export function calledFields(kind: ImportKind): string[] {
  return Object.keys(byKind[kind]);
}
