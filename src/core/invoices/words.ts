import { fillTemplate } from '../../lib/template.ts'
import { moneyText, smsMoneyText } from '../../lib/text/amount-texts.ts'
import { countryDay } from '../../lib/text/country-dates.ts'
import { formatDay, type Language } from '../../lib/text/languages.ts'
import { type InvoiceRow, invoiceNumber, invoiceUrl, openAmount, shortInvoiceUrl } from './invoice.ts'

/** Time of a reminder, compared with the due date. */
type Moment = 'before' | 'on' | 'after'

interface Words {
  /** Letters of the GSM alphabet only: an SMS with others costs twice as much. */
  sms: string
  reminders: Record<Moment, string>
  subject: string
  mail: string
}

const WORDS: Record<Language, Words> = {
  en: {
    sms: '{issuer}: invoice {number} for {amount}, due {due}. {short_url}',
    reminders: {
      before: '{issuer}: invoice {number}, {amount} is due on {due}. {short_url}',
      on: '{issuer}: invoice {number}, {amount} is due today. {short_url}',
      after: '{issuer}: invoice {number}, {amount} was due on {due}. {short_url}',
    },
    subject: 'Invoice {number} from {issuer}',
    mail: '{issuer} asks you to pay {amount} by {due}.\n\nView and pay invoice {number}: {url}\nAs PDF: {url}.pdf\n\nThe page shows the amount due.\n',
  },
  sw: {
    sms: '{issuer}: ankara {number} ya {amount}, ilipwe kabla ya mwisho wa {due}. {short_url}',
    reminders: {
      before: '{issuer}: ankara {number}, {amount} inatakiwa tarehe {due}. {short_url}',
      on: '{issuer}: ankara {number}, {amount} inatakiwa leo. {short_url}',
      after: '{issuer}: ankara {number}, {amount} ilitakiwa tarehe {due}. {short_url}',
    },
    subject: 'Ankara {number} kutoka {issuer}',
    mail: '{issuer} inakuomba ulipe {amount} kufikia tarehe {due}.\n\nAnkara {number}, yenye kitufe cha kulipa: {url}\nPDF: {url}.pdf\n\nUkurasa unaonyesha kiasi kilichobaki kulipwa.\n',
  },
  fr: {
    sms: '{issuer} : facture {number} de {amount}, à payer avant le {due}. {short_url}',
    reminders: {
      before: '{issuer} : facture {number}, {amount} à payer le {due}. {short_url}',
      on: "{issuer} : facture {number}, {amount} à payer aujourd'hui. {short_url}",
      after: '{issuer} : facture {number}, {amount} était à payer le {due}. {short_url}',
    },
    subject: 'Facture {number} de {issuer}',
    mail: '{issuer} vous demande de payer {amount} au plus tard le {due}.\n\nFacture {number}, avec un bouton pour payer : {url}\nEn PDF : {url}.pdf\n\nLa page indique ce qui reste à payer.\n',
  },
}

/** The SMS with which an invoice is sent. */
export function invoiceSms(invoice: InvoiceRow, base_url: string): string {
  return fillTemplate(WORDS[invoice.language].sms, smsValuesOf(invoice, base_url))
}

/** The SMS with which a customer is reminded. @param day such as `2030-01-31`, in the time zone of the invoice */
export function reminderSms(invoice: InvoiceRow, day: string, base_url: string): string {
  const { due_date } = invoice
  const moment: Moment = day < due_date ? 'before' : day > due_date ? 'after' : 'on'
  return fillTemplate(WORDS[invoice.language].reminders[moment], smsValuesOf(invoice, base_url))
}

/** The mail with which an invoice is sent. */
export function invoiceMail(invoice: InvoiceRow, base_url: string): { subject: string; body: string } {
  const { subject, mail } = WORDS[invoice.language]
  const values = valuesOf(invoice, base_url)
  return { subject: fillTemplate(subject, values), body: fillTemplate(mail, values) }
}

/** The amount is the open one, so that no one pays twice. Of a paid invoice it is the sum. */
function valuesOf(invoice: InvoiceRow, base_url: string) {
  const { currency, total, issuer, code, due_date, language, country } = invoice
  return {
    issuer: issuer ?? '',
    number: invoiceNumber(invoice),
    amount: moneyText(openAmount(invoice) || total, currency, language),
    due: country === null ? shortDay(due_date, language) : countryDay(due_date, country),
    url: invoiceUrl(base_url, code),
    short_url: shortInvoiceUrl(base_url, code),
  }
}

function smsValuesOf(invoice: InvoiceRow, base_url: string) {
  const { total, currency, language } = invoice
  return {
    ...valuesOf(invoice, base_url),
    amount: smsMoneyText(openAmount(invoice) || total, currency, language),
  }
}

/** French names of months have letters that cost more in an SMS. */
function shortDay(day: string, language: Language): string {
  const [year, month, date] = day.split('-')
  return language === 'en' ? formatDay(day, language) : `${date}/${month}/${year}`
}
