import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import type { LinkRow } from '../core/checkout/payment-link.ts'
import { findLinkByToken, isPayable } from '../core/checkout/payment-links.ts'
import {
  PAGE_KEY_PURPOSE,
  readPageDesign,
  readResultSecret,
  resultStatus,
  resultUrl,
  type ShopDesign,
} from '../core/checkout/payment-pages.ts'
import { findVisit, readVisitState, type Visit } from '../core/checkout/visits.ts'
import { findInvoiceOfLink } from '../core/invoices/invoices.ts'
import { findDepartedCode } from '../core/moves.ts'
import { NotFound, WrongCell } from '../core/refusals.ts'
import { withOtherMethods } from '../http/methods.ts'
import { originOf } from '../http/request-traces.ts'
import type { Server } from '../http/server.ts'
import { requireAllowed } from '../http/throttle.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { addressPattern } from '../lib/http/sent-method.ts'
import { shortAmount } from '../lib/money.ts'
import { parseLocalPhone } from '../lib/phone.ts'
import { WrongKey } from '../lib/secrets.ts'
import { fillTemplate } from '../lib/template.ts'
import { cellOf } from '../lib/text/cells.ts'
import { addInvoicePages } from './documents/invoices.ts'
import { addReceiptPages, receiptCode } from './documents/receipts.ts'
import { sendErrorPage } from './error-page.ts'
import { renderForm } from './form-page.ts'
import { createFormTokens, type FormTokens } from './form-tokens.ts'
import { html } from './html.ts'
import { type PageFrame, sendPage } from './layout.ts'
import { sendLogo } from './logo.ts'
import { isLive, paymentTitle, renderPayment } from './payment-page.ts'
import { connectionFor, type FormFaults, type FormValues, readForm, startPayment } from './start-payment.ts'
import { chooseLanguage, type Language, textsOf } from './texts/texts.ts'

/**
 * Maximum requests per minute from an address. Many customers of a mobile network share one, and a waiting page polls
 * every few seconds.
 */
const VIEWS_PER_MINUTE = 1_200
const FORMS_PER_MINUTE = 120
/** A form has some texts. */
const MAX_FORM_BYTES = 16_384
/** A phone number. */
const MAX_NUMBER_BYTES = 1_024
/** Asked while a number is typed, so it counts as a view. */
const NETWORK_URL = '/pay/:link/network'
/** Browsers without scripts look again after so many seconds. */
const RELOAD_S = 5

/** Parts that every route of the pages needs. */
interface Door {
  app: App
  tokens: FormTokens
}

/** Requested link, with the style of its pages. */
interface Shown {
  link: LinkRow
  look: ShopDesign
  language: Language
  /** The parameter that keeps a chosen language. */
  query: string
}

const linkParams = z.object({ link: z.string() })
const receiptParams = z.object({ link: z.string(), receipt: z.string() })

/**
 * Door 5: the pages of payment links, receipts and invoices, for customers without an account. They work without scripts and cookies. Who knows the
 * address of a link may pay; who knows the address of a receipt sees this payment, and no other.
 */
export function addPaymentPages(server: Server, app: App): void {
  const door: Door = { app, tokens: createFormTokens(app.deriveSecret('payment link forms')) }

  server.register(async (inner) => {
    const scope = inner as unknown as Server
    scope.setErrorHandler(async (error, request, reply) => {
      const elsewhere = error instanceof NotFound ? await findElsewhere(app, request) : undefined
      if (typeof elsewhere === 'string') return reply.redirect(elsewhere, 307)
      return sendErrorPage(app, elsewhere ?? error, request, reply)
    })
    scope.addHook('onRequest', (request) => count(door, request))
    withOtherMethods(scope, () => {
      addFormPage(scope, door)
      addNetworkLookup(scope, door)
      addLogo(scope, door)
      addPayment(scope, door)
      addReceiptOfVisit(scope, door)
      addReceiptPages(scope, app)
      addInvoicePages(scope, app)
    })
  })
}

/**
 * The place of a page that is not here: its address in the cell to which it has moved, which the load balancer reads in the
 * parameter `cell`; or the refusal of a code that names another cell. Undefined if there is no such page.
 */
async function findElsewhere({ db, config }: App, request: FastifyRequest): Promise<string | WrongCell | undefined> {
  const { link, code: document } = request.params as { link?: string; code?: string }
  const code = document?.replace(/\.pdf$/, '') ?? link
  if (code === undefined) return undefined
  const cell = (await findDepartedCode(db, code)) ?? cellOf(code)
  const { pathname, searchParams } = new URL(request.url, 'http://cell')
  if (cell === config.CELL) return undefined
  if (cell === cellOf(code) || searchParams.get('cell') === String(cell)) return new WrongCell('link', cell)
  searchParams.set('cell', String(cell))
  return `${pathname}?${searchParams}`
}

async function count({ app: { throttle } }: Door, request: FastifyRequest): Promise<void> {
  const is_form = request.method === 'POST' && addressPattern(request) !== NETWORK_URL
  const limit = is_form ? FORMS_PER_MINUTE : VIEWS_PER_MINUTE
  await requireAllowed(throttle, `pay ${is_form ? 'form' : 'view'} ${addressGroup(request.ip ?? '')}`, limit)
}

function addFormPage(scope: Server, door: Door): void {
  const { app, tokens } = door
  const schema = { hide: true, params: linkParams }
  const config = { produces: 'text/html' } as const

  scope.get('/pay/:link', { config, schema }, async (request, reply) => {
    const shown = await findShown(app, request.params.link, request)
    const query = request.query as Record<string, string>
    const values = await firstValues(door, shown, query)
    if (values === 'busy') return reply.redirect(`/pay/${shown.link.token}/${query.again}${shown.query}`, 303)
    return isPayable(shown.link) ? showForm(reply, shown, values) : showInactive(reply, shown)
  })

  scope.post('/pay/:link', { config, schema, bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const shown = await findShown(app, request.params.link, request)
    const { link, query } = shown
    const values = readForm(link, request.body)
    const started = await startPayment(app, tokens, link, values, {
      address: request.ip ?? '',
      origin: originOf(request),
    })
    if ('receipt' in started) return reply.redirect(`/pay/${link.token}/${started.receipt}${query}`, 303)
    const { faults } = started
    if (faults.form === 'inactive') return showInactive(reply, { ...shown, link: await reread(app, link) })
    // A refused form gets a new token only if its own is unusable: a repeated form stays the same form.
    const form = faults.form === 'too_old' ? tokens.create(link.token, app.clock.real()) : values.form
    return showForm(reply.code(400), shown, { ...values, form }, faults)
  })
}

async function reread(app: App, link: LinkRow): Promise<LinkRow> {
  return (await findLinkByToken(app.db, app.clock.now(), link.token)) ?? link
}

/** @throws NotFound */
async function findShown(app: App, token: string, request: FastifyRequest): Promise<Shown> {
  const link = await findLinkByToken(app.db, app.clock.now(), token)
  if (!link) throw new NotFound()
  const { lang } = request.query as { lang?: string }
  const language = chooseLanguage(lang, request.headers['accept-language'])
  const query = lang === language ? `?lang=${language}` : ''
  return { link, look: await readPageDesign(app.db, link.organization), language, query }
}

/**
 * Return the first values of a form: from its address (`?order=7` fills in the field `order`), or from a payment that
 * is retried. `busy`: that payment may still be made.
 */
async function firstValues(
  { app, tokens }: Door,
  { link }: Shown,
  query: Record<string, string>,
): Promise<FormValues | 'busy'> {
  const again = query.again ? await findVisit(app.db, link.id, query.again) : undefined
  if (again && isLive(again)) return 'busy'
  const known: Record<string, unknown> = again ? again.request.metadata : query
  const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : '')
  const amount = again ? shortAmount(again.request.amount) : textOf(query.amount)
  return {
    amount,
    phone: '',
    fields: Object.fromEntries(link.fields.map(({ name }) => [name, textOf(known[name])])),
    form: tokens.create(link.token, app.clock.real()),
    previous: again ? query.again! : '',
    trap: '',
  }
}

function frameOf({ link, look, language }: Shown): Pick<PageFrame, 'language' | 'shop' | 'frame_ancestors'> {
  const { name, color, logo } = look
  const logo_url = logo ? `/pay/${link.token}/logo` : null
  return { language, shop: { name, color, logo_url }, frame_ancestors: link.frame_ancestors }
}

function showForm(reply: FastifyReply, shown: Shown, values: FormValues, faults?: FormFaults) {
  const { link, language, query } = shown
  const path = `/pay/${link.token}`
  const title = faults ? `${textsOf(language).check} – ${link.title}` : link.title
  const frame = { ...frameOf(shown), title, ...(faults ? {} : { path }) }
  return sendPage(reply, frame, renderForm({ link, language, action: `${path}${query}`, values, faults }))
}

/** Explain why a link takes no payments. */
function showInactive(reply: FastifyReply, shown: Shown) {
  const { link, look, language } = shown
  const texts = textsOf(language)
  const title = { paid: texts.link_paid, closed: texts.link_closed, expired: texts.link_expired, active: '' }[
    link.state
  ]
  const main = html`<h1>${title}</h1><p>${link.title}</p><p>${fillTemplate(texts.ask_shop, { shop: look.name })}</p>`
  return sendPage(reply.code(410), { ...frameOf(shown), title, path: `/pay/${link.token}` }, main)
}

/** Name the network of a number while it is typed. It follows from the prefix, and says nothing about a person. */
function addNetworkLookup(scope: Server, { app }: Door): void {
  const url = NETWORK_URL
  scope.post(url, { schema: { hide: true, params: linkParams }, bodyLimit: MAX_NUMBER_BYTES }, async (request) => {
    const link = await findLinkByToken(app.db, app.clock.now(), request.params.link)
    if (!link) throw new NotFound()
    const { phone: typed } = (request.body ?? {}) as { phone?: unknown }
    const phone = typeof typed === 'string' ? parseLocalPhone(typed, link.country) : undefined
    const connection = phone && connectionFor(app, link, phone)
    return { network: connection?.name ?? null }
  })
}

function addLogo(scope: Server, { app }: Door): void {
  const url = '/pay/:link/logo'
  scope.get(url, { schema: { hide: true, params: linkParams } }, async (request, reply) => {
    const link = await findLinkByToken(app.db, app.clock.now(), request.params.link)
    if (!link) throw new NotFound()
    return sendLogo(app, reply, link.organization)
  })
}

function addPayment(scope: Server, { app }: Door): void {
  const schema = { hide: true, params: receiptParams }
  const url = '/pay/:link/:receipt'

  scope.get(url, { config: { produces: 'text/html' }, schema }, async (request, reply) => {
    const shown = await findShown(app, request.params.link, request)
    const { receipt } = request.params
    const visit = await findVisit(app.db, shown.link.id, receipt)
    if (!visit) throw new NotFound()
    return showPayment(app, reply, shown, visit, receipt)
  })

  scope.get(`${url}/state`, { schema }, async (request) => {
    const link = await findLinkByToken(app.db, app.clock.now(), request.params.link)
    const state = link && (await readVisitState(app.db, link.id, request.params.receipt))
    if (!state) throw new NotFound()
    return { state }
  })
}

/** Make the receipt of a payment that its visitor asks for, and lead there. */
function addReceiptOfVisit(scope: Server, { app }: Door): void {
  const url = '/pay/:link/:receipt/receipt'
  const config = { produces: 'text/html' } as const
  scope.get(url, { config, schema: { hide: true, params: receiptParams } }, async (request, reply) => {
    const { link, query } = await findShown(app, request.params.link, request)
    const visit = await findVisit(app.db, link.id, request.params.receipt)
    if (!visit || visit.request.collection === null) throw new NotFound()
    const code = await receiptCode(app, visit.request.collection, request.method === 'GET')
    if (code === undefined) throw new NotFound()
    return reply.redirect(`/pay/receipts/${code}${query}`, 303)
  })
}

async function showPayment(app: App, reply: FastifyReply, shown: Shown, visit: Visit, receipt: string) {
  const { link, look, language, query } = shown
  const path = `/pay/${link.token}/${receipt}`
  const connection = app.connections.find(visit.connection)
  const network = {
    code: connection?.code ?? '',
    name: connection?.name ?? visit.connection,
    can_prompt: connection?.operations.charge !== undefined,
  }
  const page = {
    link,
    visit,
    language,
    network,
    shop: look.name,
    time_zone: look.time_zone,
    again_url: isPayable(link) ? `/pay/${link.token}${query ? `${query}&` : '?'}again=${receipt}` : null,
    return_url: await returnUrl(app, link, visit),
    receipt_url: `${path}/receipt${query}`,
    invoice_url: await invoicePath(app, link, query),
  }
  const frame = {
    ...frameOf(shown),
    title: paymentTitle(page),
    path,
    ...(isLive(visit) && { reload_s: RELOAD_S }),
  }
  return sendPage(reply, frame, renderPayment(page))
}

/** The page of the invoice that a link asks the money for; null for other links. */
async function invoicePath(app: App, { id }: LinkRow, query: string): Promise<string | null> {
  const invoice = await findInvoiceOfLink(app.db, id)
  return invoice ? `/pay/invoices/${invoice.code}${query}` : null
}

/** The shop's page with the signed result. Without a readable secret the customer goes back without a result. */
async function returnUrl(app: App, link: LinkRow, { request, state }: Visit): Promise<string | null> {
  if (link.return_url === null) return null
  const secret = await readResultSecret(app.db, link.organization, app.sealingKeys(PAGE_KEY_PURPOSE)).catch((error) => {
    if (error instanceof WrongKey) return undefined
    throw error
  })
  if (secret === undefined) return link.return_url
  const { id, amount, currency } = request
  const result = { payment_link: link.id, request: id, status: resultStatus(state), amount, currency }
  return resultUrl(link.return_url, secret, { ...result, at: app.clock.now() })
}
