import { toCardinal as english } from 'n2words/en-GB'
import { toCardinal as french } from 'n2words/fr-FR'
import { toCardinal as swahili } from 'n2words/sw-KE'
import type { LinkRow } from '../core/checkout/payment-link.ts'
import type { Visit, VisitState } from '../core/checkout/visits.ts'
import { formatLocalPhone, hideMiddle } from '../lib/phone.ts'
import { fillTemplate } from '../lib/template.ts'
import { moneyText } from '../lib/text/amount-texts.ts'
import { amountInWords, type ToCardinal } from '../lib/text/amount-words.ts'
import { formatLocalTime } from '../lib/text/languages.ts'
import { type Html, html } from './html.ts'
import { type Language, textsOf } from './texts/texts.ts'
import type { Texts } from './texts/words.ts'

/** Content of a payment's page. */
export interface PaymentPage {
  link: LinkRow
  visit: Visit
  language: Language
  shop: string
  /** Of the organization. */
  time_zone: string
  network: { code: string; name: string; can_prompt: boolean }
  /** URL of the form with the earlier input; null if it takes nothing now. */
  again_url: string | null
  /** The shop's page, with the signed result; null if it has none. */
  return_url: string | null
  /** URL at which the payment's receipt is made and shown. */
  receipt_url: string
  /** The page of the invoice that is paid; null for other payments. */
  invoice_url: string | null
}

/** States that may still change by themselves. */
const LIVE: readonly VisitState[] = ['waiting', 'unclear']

export function isLive({ state }: Pick<Visit, 'state'>): boolean {
  return LIVE.includes(state)
}

/** Before the customer enters the PIN, the amount is repeated in words. */
const cardinals: Readonly<Record<Language, ToCardinal>> = { en: english, fr: french, sw: swahili }

/** Menus that show waiting prompts again, as the networks publish them: the code of the driver and the country. */
const MENUS: Readonly<Record<string, string>> = { 'mtn-momo UG': '*165#' }

/** Render the page of a payment: the waiting prompt, then the result. */
export function renderPayment(page: PaymentPage): Html {
  const { visit, language, again_url, return_url, receipt_url, invoice_url } = page
  const texts = textsOf(language)
  const live = isLive(visit)
  const is_over = visit.state !== 'waiting'
  return html`<div data-state="${visit.state}"${live && html` data-live="1"`}>
${head(page, texts)}
${facts(page, texts)}
${visit.state === 'ended' && again_url && html`<a class="button" href="${again_url}">${texts.try_again}</a>`}
${is_over && return_url && html`<a class="button${visit.state !== 'paid' && ' plain'}" href="${return_url}" rel="noreferrer">${fillTemplate(texts.back, { host: new URL(return_url).host })}</a>`}
${visit.state === 'paid' && html`<a class="button plain" href="${receipt_url}" target="_blank" rel="noopener">${texts.receipt.open}</a>`}
${is_over && invoice_url && html`<a class="button plain" href="${invoice_url}">${texts.invoice.open}</a>`}
${live && html`<noscript><p class="soft">${texts.looks_again}</p></noscript>`}
</div>`
}

/** Return the page's title: the state of the payment. */
export function paymentTitle({ visit, language }: Pick<PaymentPage, 'visit' | 'language'>): string {
  return textsOf(language)[visit.state]
}

function head(page: PaymentPage, texts: Texts): Html {
  const { visit } = page
  const title = (mark: string, tone = '') => html`<h1 tabindex="-1" class="${tone}">${mark} ${paymentTitle(page)}</h1>`
  switch (visit.state) {
    case 'waiting':
      return waiting(page, texts)
    case 'paid':
      return html`${title('✓', 'good')}<p class="text">${successText(page, texts)}</p>`
    case 'reversed':
      return html`${title('↩')}<p>${texts.reversed_text}</p>`
    case 'unclear':
      return html`${title('…')}<p role="status">${texts.unclear_text}</p>`
    case 'ended': {
      const says = visit.refusal && fillTemplate(texts.network_says, { message: visit.refusal })
      return html`${title('✕', 'bad')}<p>${texts.ended_text}</p>${says && html`<p class="soft">${says}</p>`}`
    }
  }
}

function waiting({ link, visit, network, language }: PaymentPage, texts: Texts): Html {
  const { request } = visit
  const words = {
    network: network.name,
    phone: formatLocalPhone(request.phonenumber, link.country),
    amount: moneyText(request.amount, link.currency, language),
  }
  const code = MENUS[`${network.code} ${link.country}`]
  const steps = [
    ...(code ? [fillTemplate(texts.network_menu, { network: network.name, code })] : []),
    ...texts.no_prompt_steps,
  ]
  const text = network.can_prompt ? texts.waiting_text : texts.waiting_without_prompt
  return html`<h1 tabindex="-1">${paymentTitle({ visit, language })}</h1>
<p>${fillTemplate(text, words)}</p>
<p class="soft">${words.amount}: ${amountInWords(request.amount, cardinals[language])}</p>
<p class="soft" role="status">${texts.waiting_status}</p>
<h2>${texts.no_prompt}</h2>
<ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>`
}

/** The shop's own words, or the usual ones. The name that a network knows is not shown: anyone may have typed the number. */
function successText({ link, visit, language }: PaymentPage, texts: Texts): string {
  const { request } = visit
  const own = request.success_message.trim()
  if (own === '') return texts.paid_text
  return fillTemplate(own, {
    amount: moneyText(request.amount, link.currency, language),
    customer: hideMiddle(request.phonenumber, link.country),
  })
}

function facts({ link, visit, shop, time_zone, language }: PaymentPage, texts: Texts): Html {
  const { request } = visit
  const rows: [string, string][] = [
    [texts.to, shop],
    [texts.for, request.reason],
    [texts.amount, moneyText(request.amount, link.currency, language)],
    ...link.fields.flatMap(({ name, label }): [string, string][] => {
      const answer = request.metadata[name]
      return typeof answer === 'string' ? [[label, answer]] : []
    }),
    [texts.from, hideMiddle(request.phonenumber, link.country)],
    ...(visit.state === 'paid'
      ? ([
          [texts.date, formatLocalTime(request.modified, language, time_zone)],
          [texts.number, visit.transaction_id ? `${request.id} / ${visit.transaction_id}` : String(request.id)],
        ] as [string, string][])
      : []),
  ]
  return html`<dl>${rows.filter(([, value]) => value !== '').map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
