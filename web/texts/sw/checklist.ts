import type { Catalogue } from '../catalogue.ts'

export const checklist: Catalogue['checklist'] = {
  found: {
    organization: {
      done_one: 'Kuna shirika moja.',
      done_other: 'Kuna mashirika {{count}}.',
      missing: 'Hakuna shirika.',
    },
    owner: {
      done: 'Kila shirika lina mtu anayelisimamia.',
      missing: 'Hakuna mtu anayesimamia {{organizations}}.',
      none: 'Hakuna mtu anayesimamia shirika.',
    },
    api_key: {
      done: 'Kuna ufunguo wa API.',
      missing: 'Hakuna ufunguo wa API.',
    },
    wallet: {
      done_one: 'Kuna pochi moja.',
      done_other: 'Kuna pochi {{count}}.',
      missing: 'Hakuna pochi.',
    },
    wallet_funds: {
      done: 'Kila pochi ina pesa.',
      missing: 'Hazina pesa, kwa hiyo haziwezi kukusanya: {{wallets}}.',
      all_missing: 'Hazina pesa, kwa hiyo haziwezi kukusanya: pochi zote.',
    },
    collection_currencies: {
      done: 'Makusanyo yanakubaliwa kwa {{currencies}}.',
      missing: 'Makusanyo kwa {{currencies}} yanakataliwa: hayatajwi katika COLLECTION_CURRENCIES.',
    },
    connection: {
      done: 'Inatumika: {{connections}}.',
      drafts_only: 'Rasimu tu: {{connections}}.',
      missing: 'Hakuna mtandao uliounganishwa.',
    },
    connection_tested: {
      done: 'Kila muunganisho unaotumika umefaulu jaribio lake.',
      missing: 'Bila jaribio lililofaulu: {{connections}}.',
      none: 'Hakuna kilichojaribiwa.',
    },
    places: {
      done: 'Kila pochi inatumia muunganisho.',
      missing: 'Bila muunganisho: {{wallets}}.',
      all_missing: 'Bila muunganisho: pochi zote.',
    },
    callback_address: {
      done: 'Mitandao inaripoti kwa {{url}}.',
      missing: 'PUBLIC_URL haijawekwa, kwa hiyo hakuna callback ya mtandao inayofika.',
      not_public: 'Hakuna mtandao unaoweza kufikia {{url}}: si URL ya https ya umma.',
    },
    second_factor: {
      done: 'Kila anayehamisha pesa au kusimamia ana uthibitishaji wa hatua mbili.',
      missing: 'Bila uthibitishaji wa hatua mbili: {{users}}.',
      all_missing: 'Bila uthibitishaji wa hatua mbili: wote.',
    },
    second_manager: {
      done: 'Kila shirika lina msimamizi wa pili.',
      missing: 'Bila msimamizi wa pili, ambaye anathibitisha kinachopunguza udhibiti: {{organizations}}.',
      all_missing: 'Bila msimamizi wa pili, ambaye anathibitisha kinachopunguza udhibiti: mashirika yote.',
    },
    approval_rules: {
      done: 'Malipo yana kanuni za idhini au vikomo kwa kila sarafu.',
      missing: 'Malipo bila idhini na bila vikomo: {{currencies}}.',
      all_missing: 'Malipo bila idhini na bila vikomo: yote.',
    },
    fees: {
      done: 'Ada zimewekwa.',
      missing: 'Hakuna ada zilizowekwa, kwa hiyo hakuna kinachotozwa.',
    },
    backups: {
      own: 'Data iko kwenye PostgreSQL yako mwenyewe. Huduma haiwezi kuona kama ina nakala za akiba.',
      embedded: 'Data iko kwenye PostgreSQL inayokuja na huduma, katika {{folder}}: kwenye diski hii tu.',
    },
    sms: {
      done: 'SMS zinatumwa.',
      missing: 'Hakuna mtoa huduma za SMS aliyeunganishwa: hakuna SMS inayomfikia mteja.',
    },
    mail: {
      done: 'Barua pepe zinatumwa.',
      missing: 'SMTP_URL haijawekwa: hakuna barua pepe kuhusu mabadiliko, mialiko na nenosiri jipya.',
    },
    proxy: {
      done: 'Anwani za wanaoita zinajulikana.',
      missing: 'TRUST_PROXY imezimwa: nyuma ya proxy wote wanaoita wanahesabiwa kama mmoja.',
    },
    disk: {
      done: 'Kuna nafasi ya kutosha kwenye diski.',
      low: 'Diski ya {{folder}} imebakiwa na MB {{megabytes}} ({{percent}} %).',
      full: 'Diski ya {{folder}} imebakiwa na MB {{megabytes}} ({{percent}} %). Hakuna kinachohifadhiwa hadi kuwe na nafasi zaidi.',
    },
  },
  todo: {
    collection_currencies: 'Weka COLLECTION_CURRENCIES',
    callback_address: 'Weka PUBLIC_URL, kisha {{first}}',
    second_factor: 'Wanauweka kwenye "Akaunti yako"; {{first}} inaulazimisha',
    approval_rules: '{{first}}, {{second}}',
    backups:
      'Hifadhi nakala za hifadhidata na SECRET_KEY kila siku, mbali na mashine hii, na ujaribu kuzirejesha (docs/operating/backup.md)',
    sms: '{{first}}, kwa mtoa huduma za SMS, au weka SMS_URL',
    mail: 'Weka SMTP_URL na MAIL_FROM',
    proxy: 'Weka TRUST_PROXY ikiwa kuna proxy mbele ya huduma',
    disk: 'Ongeza nafasi',
  },
  steps: '{{first}}, kisha {{second}}',
  more_one: '{{count}} zaidi',
  more_other: '{{count}} zaidi',
}
