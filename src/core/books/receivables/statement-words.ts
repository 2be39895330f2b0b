import type { Language } from '../../../lib/text/languages.ts'
import type { EntryKind } from './account-entries.ts'

interface Words {
  title: string
  customer: string
  number: string
  period: string
  currency: string
  written: string
  terms: string
  date: string
  text: string
  charged: string
  credited: string
  balance: string
  opening: string
  charged_sum: string
  credited_sum: string
  owed: string
  in_credit: string
  settled: string
  open: string
  credit: string
  unmatched: string
  for_target: string
  for_credit: string
  receipt: string
  paid_on: string
  due: string
  from_phone: string
  /** `{target}` is an invoice, or the word for credit; `{payment}` is the network's own id. */
  entries: Record<EntryKind, string>
  credit_used: string
  asked_again: string
}

/** The texts of the statement of a customer. */
export const statementWords: Record<Language, Words> = {
  en: {
    title: 'Statement of account',
    customer: 'Customer',
    number: 'Customer number',
    period: 'Period',
    currency: 'Currency',
    written: 'Written on',
    terms: 'Payment terms',
    date: 'Date',
    text: 'Description',
    charged: 'Charged',
    credited: 'Paid',
    balance: 'Balance',
    opening: 'Opening balance',
    charged_sum: 'Charged in this period',
    credited_sum: 'Paid or credited in this period',
    owed: 'Balance due',
    in_credit: 'Balance in your favour',
    settled: 'Balance',
    open: 'Open invoices',
    credit: 'Credit',
    unmatched:
      '{amount} from your phones came in and is not yet matched with an invoice. It is not a part of the balance.',
    for_target: 'For {target}',
    for_credit: 'As credit',
    receipt: 'receipt {receipt}',
    paid_on: 'paid on {day}',
    due: 'Due {day}',
    from_phone: 'from {phone}',
    entries: {
      invoice: 'Invoice {target}',
      void: 'Invoice {target} voided',
      payment: 'Payment {payment}',
      moved: 'Payment {payment} reallocated',
      reversal: 'Payment {payment} reversed by the network',
      refund: 'Refund of payment {payment}',
      adjustment: 'Refunded amount, no longer due',
    },
    credit_used: 'Credit used, from payment {payment}',
    asked_again: 'Refunded amount, due again',
  },
  sw: {
    title: 'Taarifa ya akaunti',
    customer: 'Mteja',
    number: 'Namba ya mteja',
    period: 'Kipindi',
    currency: 'Sarafu',
    written: 'Iliandikwa tarehe',
    terms: 'Masharti ya malipo',
    date: 'Tarehe',
    text: 'Maelezo',
    charged: 'Inayodaiwa',
    credited: 'Iliyolipwa',
    balance: 'Salio',
    opening: 'Salio la mwanzo',
    charged_sum: 'Iliyodaiwa katika kipindi hiki',
    credited_sum: 'Iliyolipwa katika kipindi hiki',
    owed: 'Salio la kulipwa',
    in_credit: 'Salio lako la akiba',
    settled: 'Salio',
    open: 'Ankara ambazo hazijalipwa',
    credit: 'Akiba',
    unmatched: '{amount} kutoka simu zako zimefika na bado hazijaunganishwa na ankara. Si sehemu ya salio.',
    for_target: 'Kwa {target}',
    for_credit: 'Kama akiba',
    receipt: 'risiti {receipt}',
    paid_on: 'ililipwa tarehe {day}',
    due: 'Ilipwe kufikia {day}',
    from_phone: 'kutoka {phone}',
    entries: {
      invoice: 'Ankara {target}',
      void: 'Ankara {target} imefutwa',
      payment: 'Malipo {payment}',
      moved: 'Malipo {payment} sasa ni ya kitu kingine',
      reversal: 'Malipo {payment} yamerudishwa na mtandao',
      refund: 'Marejesho ya malipo {payment}',
      adjustment: 'Kiasi kilichorejeshwa hakidaiwi tena',
    },
    credit_used: 'Akiba iliyotumika, ya malipo {payment}',
    asked_again: 'Kiasi kilichorejeshwa kinadaiwa tena',
  },
  fr: {
    title: 'Relevé de compte',
    customer: 'Client',
    number: 'Numéro de client',
    period: 'Période',
    currency: 'Devise',
    written: 'Établi le',
    terms: 'Conditions de paiement',
    date: 'Date',
    text: 'Description',
    charged: 'Débit',
    credited: 'Crédit',
    balance: 'Solde',
    opening: 'Solde initial',
    charged_sum: 'Débits de la période',
    credited_sum: 'Crédits de la période',
    owed: 'Solde à payer',
    in_credit: 'Solde en votre faveur',
    settled: 'Solde',
    open: 'Factures ouvertes',
    credit: 'Avoir',
    unmatched:
      '{amount} reçus de vos téléphones ne sont pas encore affectés à une facture. Ils ne font pas partie du solde.',
    for_target: 'Pour {target}',
    for_credit: 'En avoir',
    receipt: 'reçu {receipt}',
    paid_on: 'payé le {day}',
    due: 'À payer avant le {day}',
    from_phone: 'de {phone}',
    entries: {
      invoice: 'Facture {target}',
      void: 'Facture {target} annulée',
      payment: 'Paiement {payment}',
      moved: 'Paiement {payment} affecté à autre chose',
      reversal: 'Paiement {payment} repris par le réseau',
      refund: 'Remboursement du paiement {payment}',
      adjustment: 'Montant remboursé, non redemandé',
    },
    credit_used: 'Avoir utilisé, du paiement {payment}',
    asked_again: 'Montant remboursé, redemandé',
  },
}
