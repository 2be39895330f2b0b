import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runAction, stranger } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { sellerLines } from '../../core/checkout/letterhead.ts'
import { readPageDesign } from '../../core/checkout/payment-pages.ts'
import { isDocumentCode } from '../../core/documents/codes.ts'
import { readSeller } from '../../core/documents/seller.ts'
import { formatNumber } from '../../core/documents/series.ts'
import { showReceiptAction } from '../../core/receipts/actions.ts'
import { type ReceiptRow, receiptUrl } from '../../core/receipts/receipt.ts'
import { findReceiptByCode, findReceiptCode } from '../../core/receipts/receipts.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { fillTemplate } from '../../lib/template.ts'
import { html } from '../html.ts'
import { sendPage } from '../layout.ts'
import { sendLogo } from '../logo.ts'
import { chooseLanguage, type Language, textsOf } from '../texts/texts.ts'
import { renderDocument } from './document-page.ts'
import { receiptContent, receiptTitle } from './receipt-content.ts'
import { countPdf, sendDocumentPdf } from './send-pdf.ts'

const codeParams = z.object({ code: z.string() })

/** Requested receipt, in the reader's language. */
interface Shown {
  receipt: ReceiptRow
  language: Language
  /** The parameter that keeps a chosen language. */
  query: string
}

/** Add the pages of receipts, and the same as PDF. Who knows the code of a receipt sees this receipt, and no other. */
export function addReceiptPages(scope: Server, app: App): void {
  const url = '/pay/receipts/:code'
  const schema = { hide: true, params: codeParams }

  scope.get(url, { config: { produces: 'text/html' }, schema }, async (request, reply) => {
    const { code } = request.params
    if (!code.endsWith('.pdf')) return showReceipt(app, reply, await findShown(app, code, request))
    await countPdf(app, request)
    return sendPdf(app, reply, await findShown(app, code.slice(0, -'.pdf'.length), request))
  })

  scope.get(`${url}/logo`, { schema }, async (request, reply) => {
    const { receipt } = await findShown(app, request.params.code, request)
    return sendLogo(app, reply, receipt.organization)
  })

  // Short enough for an SMS.
  scope.get('/r/:code', { schema }, async (request, reply) => {
    if (!isDocumentCode(request.params.code)) throw new NotFound()
    return reply.redirect(`/pay/receipts/${request.params.code}`, 302)
  })
}

/**
 * The code of the receipt of a payment. It is made if there is none and `may_issue` is true, unless the money was taken back
 * before.
 */
export async function receiptCode(app: App, collection: number, may_issue: boolean): Promise<string | undefined> {
  const known = await findReceiptCode(app.db, collection)
  if (known !== undefined || !may_issue) return known
  return runAction(app, stranger(''), showReceiptAction, { collection })
}

/** @throws NotFound */
async function findShown(app: App, code: string, request: FastifyRequest): Promise<Shown> {
  const receipt = isDocumentCode(code) ? await findReceiptByCode(app.db, code) : undefined
  if (!receipt) throw new NotFound()
  const { lang } = request.query as { lang?: string }
  const language = chooseLanguage(lang, request.headers['accept-language'])
  return { receipt, language, query: lang === language ? `?lang=${language}` : '' }
}

async function showReceipt(app: App, reply: FastifyReply, { receipt, language, query }: Shown) {
  const { organization, created, issuer } = receipt
  const [{ color, logo }, seller] = await Promise.all([
    readPageDesign(app.db, organization),
    readSeller(app.db, organization, created),
  ])
  const path = `/pay/receipts/${receipt.code}`
  const words = textsOf(language).receipt
  const { host } = new URL(receiptUrl(app.address.url, receipt.code))
  const below = html`<p class="soft">${fillTemplate(words.genuine, { host })}</p>
<a class="button" href="${path}.pdf${query}">${words.pdf}</a>`
  const shop = { name: issuer, color, logo_url: logo ? `${path}/logo` : null }
  const lines = sellerLines(seller, issuer, language)
  const frame = { language, shop, title: receiptTitle(receipt, language), path }
  return sendPage(reply, frame, renderDocument(receiptContent(receipt, language), { seller: lines, below }))
}

async function sendPdf(app: App, reply: FastifyReply, { receipt, language }: Shown) {
  const { organization, issuer, created, code, number } = receipt
  const seller = await readSeller(app.db, organization, created)
  return sendDocumentPdf(app, reply, {
    organization,
    issuer,
    created,
    language,
    seller,
    content: receiptContent(receipt, language),
    number: formatNumber('receipt', number),
    check: { text: textsOf(language).receipt.check, url: receiptUrl(app.address.url, code) },
  })
}
