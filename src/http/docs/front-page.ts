import { getMessage, type MessageKey } from '../../lib/messages/message.ts'
import { translateMessage } from '../../lib/messages/translations.ts'
import type { Language } from '../../lib/text/languages.ts'
import { escapeHtml, plainPage } from './html.ts'

/** Content and links of the first page. */
export interface FrontPage {
  service_name: string
  version: string
  console: boolean
  sandbox: boolean
}

const LINKS: [url: string, title: MessageKey, about: MessageKey][] = [
  ['/console', 'front.console', 'front.console_about'],
  ['/console/phone', 'front.phone', 'front.phone_about'],
  ['/console/payment-links', 'front.links', 'front.links_about'],
  ['/docs', 'front.docs', 'front.docs_about'],
  ['/docs/reference', 'front.api_reference', 'front.api_reference_about'],
]

/** The page that a person sees who opens the address of the service in a browser: it leads to all that has pages. */
export function frontPage({ service_name, version, console, sandbox }: FrontPage, language: Language): string {
  const say = (key: MessageKey) => escapeHtml(translateMessage(language, getMessage(key)))
  const shown = LINKS.filter(
    ([url]) => (console || !url.startsWith('/console')) && (sandbox || url !== '/console/phone'),
  )
  const items = shown.map(
    ([url, title, about]) => `  <li><a href="${url}">${say(title)}</a> <span>${say(about)}</span></li>`,
  )
  const about_version = escapeHtml(translateMessage(language, getMessage('front.version', { version })))
  return plainPage(
    service_name,
    `<h1>${escapeHtml(service_name)}</h1>
<p>${say(sandbox ? 'front.sandbox' : 'front.live')}</p>
<ul>
${items.join('\n')}
</ul>
<p>${about_version}${console ? '' : ` ${say('front.no_console')} <code>npx kusanya --help</code>`}</p>`,
    language,
  )
}
