import { escapeHtml, plainPage } from './html.ts'

/** Content and links of the first page. */
export interface FrontPage {
  service_name: string
  version: string
  console: boolean
  sandbox: boolean
}

/** The page that a person sees who opens the address of the service in a browser: it leads to all that has pages. */
export function frontPage({ service_name, version, console, sandbox }: FrontPage): string {
  const links: [url: string, title: string, text: string][] = [
    ['/console', 'Console', 'Requests, payments, contacts, people and settings of your organization.'],
    ['/console/phone', 'Phone', 'Answer as a customer of the sandbox: prompts, SMS, and unrequested payments.'],
    ['/console/payment-links', 'Payment links', 'Pages with a QR code on which your customers pay.'],
    ['/docs', 'Documentation', 'First steps, networks, SMS, bills, clients, operating.'],
    ['/docs/reference', 'API reference', 'Every address that your software can call, with examples.'],
  ]
  const shown = links.filter(
    ([url]) => (console || !url.startsWith('/console')) && (sandbox || url !== '/console/phone'),
  )
  const items = shown.map(([url, title, text]) => `  <li><a href="${url}">${title}</a> <span>${text}</span></li>`)
  return plainPage(
    service_name,
    `<h1>${escapeHtml(service_name)}</h1>
<p>${sandbox ? 'This is a sandbox: no real money moves.' : 'Mobile money, collected and paid out.'}</p>
<ul>
${items.join('\n')}
</ul>
<p>Version ${escapeHtml(version)}.${console ? '' : ' The console is switched off; the command line does without it: <code>npx kusanya --help</code>'}</p>`,
  )
}
