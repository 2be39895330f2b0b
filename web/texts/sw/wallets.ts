import type { Catalogue } from '../catalogue.ts'

export const wallets: Catalogue['wallets'] = {
  about: 'Masalio yako. Makusanyo yanaongezwa hapa, na malipo yanatolewa hapa.',
  none: 'Bado hakuna pochi. Mwendeshaji anaziunda.',
  open: {
    button: 'Fungua pochi',
    submit: 'Fungua',
    name_about: 'Bila jina, inaitwa kwa sarafu yake.',
    done: 'Pochi imefunguliwa.',
  },
  fund: {
    button: 'Ongeza pesa',
    title: 'Ongeza pesa kwenye {{name}}',
    about:
      'Hili ni ingizo kwenye vitabu vyako. Halihamishi pesa kwenye mtandao. Weka kiasi kilicho kwenye akaunti ya biashara huko.',
    opening: 'Salio la mwanzo',
    reason_about: 'Inaonekana kwenye taarifa za akaunti na kumbukumbu ya ukaguzi.',
    done: 'Pesa zimeongezwa kwenye {{name}}.',
  },
  rename: {
    button: 'Badilisha jina',
    title: 'Badilisha jina la {{name}}',
    done: 'Jina la pochi limebadilishwa.',
  },
  wallet: 'Pochi',
  holds: 'Salio: {{money}}',
  held: 'Zimezuiwa kwa malipo na bili: {{money}}',
  balance_after: 'Salio baadaye',
  counterparty: 'Upande wa pili',
  caused_by: 'Chanzo',
  entered_by: 'Imeingizwa na {{name}}',
  entered_by_operator: 'Imeingizwa na mwendeshaji',
  refund_id: 'Rejesho {{id}}',
  purchase_id: 'Ununuzi {{id}}',
  invoice_id: 'Ankara {{id}}',
  no_transactions: 'Bado hakuna miamala.',
  time: 'Wakati',
  chart_about: 'Baada ya kila muamala wa karibuni.',
  chart_count_one: 'Baada ya muamala wa mwisho.',
  chart_count_other: 'Baada ya kila muamala kati ya {{count}} ya karibuni.',
  now: 'Sasa',
}
