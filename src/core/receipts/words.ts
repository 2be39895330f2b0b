import { fillTemplate } from '../../lib/template.ts'
import { moneyText, smsMoneyText } from '../../lib/text/amount-texts.ts'
import { documentTime } from '../../lib/text/country-dates.ts'
import type { Language } from '../../lib/text/languages.ts'
import { formatNumber } from '../documents/series.ts'
import { type ReceiptRow, receiptUrl, shortReceiptUrl } from './receipt.ts'

interface Words {
  /** Letters of the GSM alphabet only: an SMS with others costs twice as much. */
  sms: string
  subject: string
  mail: string
}

const WORDS: Record<Language, Words> = {
  en: {
    sms: '{issuer}: receipt {number} for {amount}. {short_url}',
    subject: 'Receipt {number} from {issuer}',
    mail: 'You paid {amount} to {issuer} on {date}.\n\nReceipt {number}: {url}\nAs PDF: {url}.pdf\n\nThe page shows what was paid, and whether it was returned.\n',
  },
  sw: {
    sms: '{issuer}: risiti {number} ya {amount}. {short_url}',
    subject: 'Risiti {number} kutoka {issuer}',
    mail: 'Ulilipa {amount} kwa {issuer} tarehe {date}.\n\nRisiti {number}: {url}\nPDF: {url}.pdf\n\nUkurasa unaonyesha kilicholipwa, na kama kimerudishwa.\n',
  },
  fr: {
    sms: '{issuer} : quittance {number} de {amount}. {short_url}',
    subject: 'Reçu {number} de {issuer}',
    mail: 'Vous avez payé {amount} à {issuer} le {date}.\n\nReçu {number} : {url}\nEn PDF : {url}.pdf\n\nLa page indique ce qui a été payé et si l’argent a été rendu.\n',
  },
}

/** The SMS with which a receipt is sent. */
export function receiptSms(receipt: ReceiptRow, language: Language, base_url: string): string {
  return fillTemplate(WORDS[language].sms, {
    ...valuesOf(receipt, language, base_url),
    amount: smsMoneyText(receipt.amount, receipt.currency, language),
  })
}

/** The mail with which a receipt is sent. */
export function receiptMail(receipt: ReceiptRow, language: Language, base_url: string) {
  const values = valuesOf(receipt, language, base_url)
  return { subject: fillTemplate(WORDS[language].subject, values), body: fillTemplate(WORDS[language].mail, values) }
}

function valuesOf(receipt: ReceiptRow, language: Language, base_url: string) {
  const { currency, amount, number, issuer, code, payment_date } = receipt
  return {
    issuer,
    number: formatNumber('receipt', number),
    amount: moneyText(amount, currency, language),
    date: documentTime(payment_date, language, receipt),
    url: receiptUrl(base_url, code),
    short_url: shortReceiptUrl(base_url, code),
  }
}
