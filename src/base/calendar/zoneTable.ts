/**
 * The time zones that the service knows (docs/decisions/0121-a-list-of-time-zones.md). It is a list of its own, so that
 * every version of Node.js takes the same names: some take offsets such as `+02:00`, and write old names for new ones.
 * Each name is known to Node.js 20.12 and later.
 */
export const places: Readonly<Record<string, string>> = {
  Africa: `
    Abidjan Accra Addis_Ababa Algiers Asmara Bamako Bangui Banjul Bissau Blantyre Brazzaville Bujumbura Cairo
    Casablanca Ceuta Conakry Dakar Dar_es_Salaam Djibouti Douala El_Aaiun Freetown Gaborone Harare Johannesburg
    Juba Kampala Khartoum Kigali Kinshasa Lagos Libreville Lome Luanda Lubumbashi Lusaka Malabo Maputo Maseru
    Mbabane Mogadishu Monrovia Nairobi Ndjamena Niamey Nouakchott Ouagadougou Porto-Novo Sao_Tome Tripoli Tunis
    Windhoek
  `,
  America: `
    Adak Anchorage Anguilla Antigua Araguaina Argentina/Buenos_Aires Argentina/Catamarca Argentina/Cordoba
    Argentina/Jujuy Argentina/La_Rioja Argentina/Mendoza Argentina/Rio_Gallegos Argentina/Salta
    Argentina/San_Juan Argentina/San_Luis Argentina/Tucuman Argentina/Ushuaia Aruba Asuncion Atikokan Bahia
    Bahia_Banderas Barbados Belem Belize Blanc-Sablon Boa_Vista Bogota Boise Cambridge_Bay Campo_Grande Cancun
    Caracas Cayenne Cayman Chicago Chihuahua Ciudad_Juarez Costa_Rica Creston Cuiaba Curacao Danmarkshavn Dawson
    Dawson_Creek Denver Detroit Dominica Edmonton Eirunepe El_Salvador Fort_Nelson Fortaleza Glace_Bay Goose_Bay
    Grand_Turk Grenada Guadeloupe Guatemala Guayaquil Guyana Halifax Havana Hermosillo Indiana/Indianapolis
    Indiana/Knox Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay Indiana/Vincennes
    Indiana/Winamac Inuvik Iqaluit Jamaica Juneau Kentucky/Louisville Kentucky/Monticello Kralendijk La_Paz Lima
    Los_Angeles Lower_Princes Maceio Managua Manaus Marigot Martinique Matamoros Mazatlan Menominee Merida
    Metlakatla Mexico_City Miquelon Moncton Monterrey Montevideo Montserrat Nassau New_York Nome Noronha
    North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem Nuuk Ojinaga Panama Paramaribo Phoenix
    Port-au-Prince Port_of_Spain Porto_Velho Puerto_Rico Punta_Arenas Rankin_Inlet Recife Regina Resolute
    Rio_Branco Santarem Santiago Santo_Domingo Sao_Paulo Scoresbysund Sitka St_Barthelemy St_Johns St_Kitts
    St_Lucia St_Thomas St_Vincent Swift_Current Tegucigalpa Thule Tijuana Toronto Tortola Vancouver Whitehorse
    Winnipeg Yakutat
  `,
  Antarctica: `
    Casey Davis DumontDUrville Macquarie Mawson McMurdo Palmer Rothera Syowa Troll Vostok
  `,
  Arctic: `
    Longyearbyen
  `,
  Asia: `
    Aden Almaty Amman Anadyr Aqtau Aqtobe Ashgabat Atyrau Baghdad Bahrain Baku Bangkok Barnaul Beirut Bishkek
    Brunei Chita Colombo Damascus Dhaka Dili Dubai Dushanbe Famagusta Gaza Hebron Ho_Chi_Minh Hong_Kong Hovd
    Irkutsk Jakarta Jayapura Jerusalem Kabul Kamchatka Karachi Kathmandu Khandyga Kolkata Krasnoyarsk
    Kuala_Lumpur Kuching Kuwait Macau Magadan Makassar Manila Muscat Nicosia Novokuznetsk Novosibirsk Omsk Oral
    Phnom_Penh Pontianak Pyongyang Qatar Qostanay Qyzylorda Riyadh Sakhalin Samarkand Seoul Shanghai Singapore
    Srednekolymsk Taipei Tashkent Tbilisi Tehran Thimphu Tokyo Tomsk Ulaanbaatar Urumqi Ust-Nera Vientiane
    Vladivostok Yakutsk Yangon Yekaterinburg Yerevan
  `,
  Atlantic: `
    Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik South_Georgia St_Helena Stanley
  `,
  Australia: `
    Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney
  `,
  Etc: `
    GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-1 GMT-10 GMT-11 GMT-12 GMT-13
    GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9
  `,
  Europe: `
    Amsterdam Andorra Astrakhan Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Busingen Chisinau
    Copenhagen Dublin Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kirov Kyiv Lisbon
    Ljubljana London Luxembourg Madrid Malta Mariehamn Minsk Monaco Moscow Oslo Paris Podgorica Prague Riga Rome
    Samara San_Marino Sarajevo Saratov Simferopol Skopje Sofia Stockholm Tallinn Tirane Ulyanovsk Vaduz Vatican
    Vienna Vilnius Volgograd Warsaw Zagreb Zurich
  `,
  Indian: `
    Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Maldives Mauritius Mayotte Reunion
  `,
  Pacific: `
    Apia Auckland Bougainville Chatham Chuuk Easter Efate Fakaofo Fiji Funafuti Galapagos Gambier Guadalcanal
    Guam Honolulu Kanton Kiritimati Kosrae Kwajalein Majuro Marquesas Midway Nauru Niue Norfolk Noumea Pago_Pago
    Palau Pitcairn Pohnpei Port_Moresby Rarotonga Saipan Tahiti Tarawa Tongatapu Wake Wallis
  `,
};

/** Other names of zones: of earlier years, and short ones. */
export const otherNames = `
  Africa/Asmara: Africa/Asmera
  Africa/Bamako: Africa/Timbuktu
  Africa/Cairo: Egypt
  Africa/Tripoli: Libya
  America/Adak: America/Atka US/Aleutian
  America/Anchorage: US/Alaska
  America/Argentina/Buenos_Aires: America/Buenos_Aires
  America/Argentina/Catamarca: America/Argentina/ComodRivadavia America/Catamarca
  America/Argentina/Cordoba: America/Cordoba America/Rosario
  America/Argentina/Jujuy: America/Jujuy
  America/Argentina/Mendoza: America/Mendoza
  America/Atikokan: America/Coral_Harbour
  America/Chicago: CST6CDT US/Central
  America/Denver: America/Shiprock MST7MDT Navajo US/Mountain
  America/Detroit: US/Michigan
  America/Edmonton: America/Yellowknife Canada/Mountain
  America/Halifax: Canada/Atlantic
  America/Havana: Cuba
  America/Indiana/Indianapolis: America/Fort_Wayne America/Indianapolis US/East-Indiana
  America/Indiana/Knox: America/Knox_IN US/Indiana-Starke
  America/Iqaluit: America/Pangnirtung
  America/Jamaica: Jamaica
  America/Kentucky/Louisville: America/Louisville
  America/Los_Angeles: PST8PDT US/Pacific
  America/Manaus: Brazil/West
  America/Mazatlan: Mexico/BajaSur
  America/Mexico_City: Mexico/General
  America/New_York: EST5EDT US/Eastern
  America/Noronha: Brazil/DeNoronha
  America/Nuuk: America/Godthab
  America/Panama: EST
  America/Phoenix: MST US/Arizona
  America/Regina: Canada/Saskatchewan
  America/Rio_Branco: America/Porto_Acre Brazil/Acre
  America/Santiago: Chile/Continental
  America/Sao_Paulo: Brazil/East
  America/St_Johns: Canada/Newfoundland
  America/St_Thomas: America/Virgin
  America/Tijuana: America/Ensenada America/Santa_Isabel Mexico/BajaNorte
  America/Toronto: America/Montreal America/Nipigon America/Thunder_Bay Canada/Eastern
  America/Vancouver: Canada/Pacific
  America/Whitehorse: Canada/Yukon
  America/Winnipeg: America/Rainy_River Canada/Central
  Antarctica/McMurdo: Antarctica/South_Pole
  Arctic/Longyearbyen: Atlantic/Jan_Mayen
  Asia/Ashgabat: Asia/Ashkhabad
  Asia/Dhaka: Asia/Dacca
  Asia/Ho_Chi_Minh: Asia/Saigon
  Asia/Hong_Kong: Hongkong
  Asia/Jerusalem: Asia/Tel_Aviv Israel
  Asia/Kathmandu: Asia/Katmandu
  Asia/Kolkata: Asia/Calcutta
  Asia/Macau: Asia/Macao
  Asia/Makassar: Asia/Ujung_Pandang
  Asia/Nicosia: Europe/Nicosia
  Asia/Seoul: ROK
  Asia/Shanghai: Asia/Chongqing Asia/Chungking Asia/Harbin PRC
  Asia/Singapore: Singapore
  Asia/Taipei: ROC
  Asia/Tehran: Iran
  Asia/Thimphu: Asia/Thimbu
  Asia/Tokyo: Japan
  Asia/Ulaanbaatar: Asia/Choibalsan Asia/Ulan_Bator
  Asia/Urumqi: Asia/Kashgar
  Asia/Yangon: Asia/Rangoon
  Atlantic/Faroe: Atlantic/Faeroe
  Atlantic/Reykjavik: Iceland
  Australia/Adelaide: Australia/South
  Australia/Brisbane: Australia/Queensland
  Australia/Broken_Hill: Australia/Yancowinna
  Australia/Darwin: Australia/North
  Australia/Hobart: Australia/Currie Australia/Tasmania
  Australia/Lord_Howe: Australia/LHI
  Australia/Melbourne: Australia/Victoria
  Australia/Perth: Australia/West
  Australia/Sydney: Australia/ACT Australia/Canberra Australia/NSW
  Europe/Athens: EET
  Europe/Brussels: CET MET
  Europe/Chisinau: Europe/Tiraspol
  Europe/Dublin: Eire
  Europe/Istanbul: Asia/Istanbul Turkey
  Europe/Kyiv: Europe/Kiev Europe/Uzhgorod Europe/Zaporozhye
  Europe/Lisbon: Portugal WET
  Europe/London: Europe/Belfast GB GB-Eire
  Europe/Moscow: W-SU
  Europe/Warsaw: Poland
  Pacific/Auckland: NZ
  Pacific/Chatham: NZ-CHAT
  Pacific/Chuuk: Pacific/Truk Pacific/Yap
  Pacific/Easter: Chile/EasterIsland
  Pacific/Honolulu: HST Pacific/Johnston US/Hawaii
  Pacific/Kanton: Pacific/Enderbury
  Pacific/Kwajalein: Kwajalein
  Pacific/Pago_Pago: Pacific/Samoa US/Samoa
  Pacific/Pohnpei: Pacific/Ponape
  UTC: Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu GMT
    GMT+0 GMT-0 GMT0 Greenwich UCT Universal Zulu
`;
