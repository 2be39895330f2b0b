import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { errorAnswerFor } from '../http/errors.ts'
import { addressPattern } from '../lib/http/sent-method.ts'
import { logEvent } from '../lib/log-events.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'
import { chooseLanguage, textsOf } from './texts/texts.ts'
import type { Texts } from './texts/words.ts'

/** Answer a refusal or a failure with a page of advice for the customer. It is the same for every unknown address. */
export function sendErrorPage(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, detail, is_service_error } = errorAnswerFor(error, request)
  if (is_service_error) {
    // The last part of the address of a receipt is for the customer only.
    const fields = { request_id: request.id, method: request.method, path: addressPattern(request) ?? '/pay', error }
    if (status === 503) app.reportUnavailable(fields)
    else logEvent(app.log, 'request_failed', fields)
  }
  const { lang } = (request.query ?? {}) as { lang?: string }
  const language = chooseLanguage(lang, request.headers['accept-language'])
  const [title, text] = wordsFor(status, textsOf(language))
  const main = html`<h1>${title}</h1><p>${text}</p>${status === 421 ? html`<p>${detail}</p>` : ''}`
  return sendPage(reply.code(status).headers(headers).serializer(String), { language, shop: null, title }, main)
}

function wordsFor(status: number, texts: Texts): [title: string, text: string] {
  if (status === 429) return [texts.too_many, texts.too_many_text]
  if (status === 503) return [texts.unavailable, texts.unavailable_text]
  if (status >= 500 || status === 400) return [texts.failed, texts.failed_text]
  return [texts.not_found, texts.not_found_text]
}
