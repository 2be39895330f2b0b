import type { Catalogue } from '../catalogue.ts'

export const events: Catalogue['events'] = {
  about: 'Matukio ya shirika lako, kama webhook zinavyoyapokea. Mapya yanaonekana yenyewe.',
  none: 'Bado hakuna matukio.',
  live: 'Moja kwa moja',
  event: 'Tukio',
  object: 'Kitu',
  object_about: 'Hali ya kitu wakati wa tukio.',
  time: 'Wakati',
  types: {
    collectionrequest_status_changed: 'Hali ya ombi imebadilika',
    collection_received: 'Makusanyo yamepokelewa',
    collection_reversed: 'Makusanyo yamerejeshwa na mtandao',
    payment_status_changed: 'Hali ya malipo imebadilika',
    contact_created: 'Mteja ameundwa',
    contact_credit_changed: 'Akiba ya mteja imebadilika',
    billpayment_status_changed: 'Hali ya ununuzi imebadilika',
    invoice_issued: 'Ankara imetolewa',
    invoice_paid: 'Ankara imelipwa',
    invoice_partly_paid: 'Ankara imelipwa kiasi',
    invoice_reopened: 'Ankara imefunguliwa tena',
    invoice_voided: 'Ankara imebatilishwa',
  },
}
