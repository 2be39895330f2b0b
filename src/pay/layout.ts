import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Html, html } from './html.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { type Language, languages, textsOf } from './texts/texts.ts'

export interface PageFrame {
  language: Language
  /** Null if the shop is not known, as on a page that does not exist. */
  shop: { name: string; color: string; logo_url: string | null } | null
  title: string
  /** Reload the page after so many seconds in browsers without scripts. */
  reload_s?: number
  /** The path of the page, for the links to other languages; none if a reload would lose something. */
  path?: string
  /** The origins whose pages may show this one in a frame. */
  frame_ancestors?: readonly string[]
}

/** Hash of the script in place of a nonce: it is the same for all customers, and no page can add its own script. */
const scriptHash = hashOf(SCRIPT)

/** Send a page. Its policy allows its own style and script, images and requests of this host, and nothing else. */
export function sendPage(reply: FastifyReply, frame: PageFrame, main: Html): FastifyReply {
  const style = STYLE.replace('{{color}}', frame.shop?.color ?? '#33383d')
  reply.headers({
    'content-security-policy': contentPolicy(style, frame.frame_ancestors ?? []),
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    vary: 'accept-language',
  })
  return reply.send(render(frame, style, main).text)
}

function contentPolicy(style: string, frame_ancestors: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${hashOf(style)}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frame_ancestors.length === 0 ? "'none'" : frame_ancestors.join(' ')}`,
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function render({ language, shop, title, reload_s, path }: PageFrame, style: string, main: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${reload_s !== undefined && html`<noscript><meta http-equiv="refresh" content="${reload_s}"></noscript>`}
<title>${title}${shop && ` – ${shop.name}`}</title>
<style>${new Html(style)}</style>
</head>
<body>
${shop && html`<header>${shop.logo_url && html`<img src="${shop.logo_url}" alt="">`}<p>${shop.name}</p></header>`}
<main>
${main}
</main>
${path !== undefined && html`<footer><nav>${languages.map((one) => languageLink(one, language, path))}</nav></footer>`}
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`
}

function languageLink(one: Language, current: Language, path: string): Html {
  const { name } = textsOf(one)
  return one === current
    ? html`<span aria-current="true" lang="${one}">${name}</span> `
    : html`<a href="${path}?lang=${one}" lang="${one}" hreflang="${one}">${name}</a> `
}
