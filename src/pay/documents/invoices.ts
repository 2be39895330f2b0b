import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runAction, stranger } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { sellerLines } from '../../core/checkout/letterhead.ts'
import { readPageDesign } from '../../core/checkout/payment-pages.ts'
import { isDocumentCode } from '../../core/documents/codes.ts'
import { readSeller, type Seller } from '../../core/documents/seller.ts'
import { openPayLinkAction, settleInvoiceAction } from '../../core/invoices/customer-actions.ts'
import { type InvoiceRow, invoiceNumber, invoiceUrl, openAmount } from '../../core/invoices/invoice.ts'
import { findInvoiceByCode, readMoney } from '../../core/invoices/invoices.ts'
import { findOpenRequest } from '../../core/invoices/requests.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { fillTemplate } from '../../lib/template.ts'
import { moneyText } from '../../lib/text/amount-texts.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../layout.ts'
import { sendLogo } from '../logo.ts'
import { chooseLanguage, type Language, textsOf } from '../texts/texts.ts'
import { renderDocument } from './document-page.ts'
import { invoiceContent, invoiceTitle } from './invoice-content.ts'
import { countPdf, sendDocumentPdf } from './send-pdf.ts'

const codeParams = z.object({ code: z.string() })

/** Requested invoice, in the language of the reader's choice, or else of the customer. */
interface Shown {
  invoice: InvoiceRow
  language: Language
  query: string
}

/** Add the pages of invoices, the same as PDF, and the way to pay. Who knows the code of an invoice sees this one. */
export function addInvoicePages(scope: Server, app: App): void {
  const url = '/pay/invoices/:code'
  const schema = { hide: true, params: codeParams }

  scope.get(url, { config: { produces: 'text/html' }, schema }, async (request, reply) => {
    const { code } = request.params
    if (!code.endsWith('.pdf')) return showInvoice(app, reply, await findShown(app, code, request))
    await countPdf(app, request)
    return sendPdf(app, reply, await findShown(app, code.slice(0, -'.pdf'.length), request))
  })

  addPay(scope, app, url)

  scope.get(`${url}/logo`, { schema }, async (request, reply) => {
    const { invoice } = await findShown(app, request.params.code, request)
    return sendLogo(app, reply, invoice.organization)
  })

  // Short enough for an SMS.
  scope.get('/i/:code', { schema }, async (request, reply) => {
    if (!isDocumentCode(request.params.code)) throw new NotFound()
    return reply.redirect(`/pay/invoices/${request.params.code}`, 302)
  })
}

/** The button: leads to the payment link for the open amount. When nothing is to be paid it leads back to the invoice. */
function addPay(scope: Server, app: App, url: string): void {
  const config = { produces: 'text/html' } as const
  scope.get(`${url}/pay`, { config, schema: { hide: true, params: codeParams } }, async (request, reply) => {
    const { invoice, language } = await findShown(app, (request.params as { code: string }).code, request)
    if (request.method !== 'GET') throw new NotFound()
    const link = await runAction(app, stranger(request.ip), openPayLinkAction, { id: invoice.id })
    const to = link ? `/pay/${link.token}` : `/pay/invoices/${invoice.code}`
    return reply.redirect(`${to}?lang=${language}`, 303)
  })
}

/** The invoice with the money that has arrived by now. @throws NotFound */
async function findShown(app: App, code: string, request: FastifyRequest): Promise<Shown> {
  const found = isDocumentCode(code) ? await findInvoiceByCode(app.db, code) : undefined
  if (!found) throw new NotFound()
  const { lang } = request.query as { lang?: string }
  const language = chooseLanguage(lang ?? found.language, undefined)
  const invoice = await countMoney(app, found)
  return { invoice, language, query: lang === language ? `?lang=${language}` : '' }
}

/** A job counts money about a second after it arrives. A customer who comes back from paying is earlier. */
async function countMoney(app: App, invoice: InvoiceRow): Promise<InvoiceRow> {
  const money = await readMoney(app.db, invoice.id)
  const names = ['amount_paid', 'amount_reversed', 'amount_refunded'] as const
  if (names.every((name) => money[name] === invoice[name])) return invoice
  return runAction(app, stranger(''), settleInvoiceAction, { id: invoice.id })
}

async function showInvoice(app: App, reply: FastifyReply, shown: Shown) {
  const { invoice, language, query } = shown
  const { organization, code, issuer } = invoice
  const [{ color, logo }, seller] = await Promise.all([readPageDesign(app.db, organization), sellerOf(app, invoice)])
  const path = `/pay/invoices/${code}`
  const below = html`${await payButton(app, shown)}
<a class="button plain" href="${path}.pdf${query}">${textsOf(language).invoice.pdf}</a>`
  const shop = { name: issuer ?? '', color, logo_url: logo ? `${path}/logo` : null }
  const frame = { language, shop, title: invoiceTitle(invoice, language), path }
  const about = { now: app.clock.now(), payment_terms: seller.payment_terms }
  const content = invoiceContent(invoice, language, about)
  return sendPage(reply, frame, renderDocument(content, { seller: sellerLines(seller, shop.name, language), below }))
}

/** The seller when the invoice was issued. */
function sellerOf(app: App, { organization, issued }: InvoiceRow): Promise<Seller> {
  return readSeller(app.db, organization, issued ?? undefined)
}

/** While a request may still be paid there is no button, so that the customer does not pay twice. */
async function payButton(app: App, { invoice, language, query }: Shown): Promise<Html | false> {
  const open = openAmount(invoice)
  if (open === 0n) return false
  const words = textsOf(language).invoice
  if ((await findOpenRequest(app.db, invoice.id)) !== undefined) return html`<p role="status">${words.waiting}</p>`
  const { min_part, code, currency } = invoice
  const money = (amount: bigint) => moneyText(amount, currency, language)
  const text = fillTemplate(words.pay, { amount: money(open) })
  const parts = min_part !== null && min_part < open && fillTemplate(words.parts, { amount: money(min_part) })
  return html`<a class="button" href="/pay/invoices/${code}/pay${query}">${text}</a>
${parts && html`<p class="soft">${parts}</p>`}`
}

async function sendPdf(app: App, reply: FastifyReply, { invoice, language }: Shown) {
  const { organization, issuer, issued, code } = invoice
  const seller = await sellerOf(app, invoice)
  return sendDocumentPdf(app, reply, {
    organization,
    issuer: issuer ?? '',
    created: issued ?? invoice.created,
    language,
    seller,
    content: invoiceContent(invoice, language, { now: app.clock.now(), payment_terms: seller.payment_terms }),
    number: invoiceNumber(invoice),
    check: { text: textsOf(language).invoice.check, url: invoiceUrl(app.address.url, code) },
  })
}
