import { createHash } from 'node:crypto'

/** What the first page says and where it leads. */
export interface FrontPage {
  service_name: string
  version: string
  console: boolean
  sandbox: boolean
}

const STYLE = `
  :root { color-scheme: light dark; --page: #fff; --text: #1c1f22; --link: #0b6645; --line: #d5d9dd }
  @media (prefers-color-scheme: dark) { :root { --page: #16181a; --text: #e6e8ea; --link: #7fd1af; --line: #444 } }
  html { background: var(--page); color: var(--text) }
  body { max-width: 34rem; margin: 14vh auto 4rem; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif }
  h1 { margin: 0; font-size: 1.8rem; line-height: 1.2 }
  ul { margin: 2rem 0; padding: 0; list-style: none }
  li { padding: 0.9rem 0; border-top: 1px solid var(--line) }
  a { color: var(--link) }
  li a { font-size: 1.15rem; font-weight: 600 }
  li span { display: block }
`

/** The browser runs and loads nothing on this page but its style. */
export const FRONT_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The page that a person sees who opens the address of the service in a browser: it leads to all that has pages. */
export function frontPage({ service_name, version, console, sandbox }: FrontPage): string {
  const name = escapeHtml(service_name)
  const links: [url: string, title: string, text: string][] = [
    ['/console', 'Console', 'Requests, payments, contacts, people and settings of your organization.'],
    ['/console/phone', 'Phone', 'Answer as a customer of the sandbox: prompts, SMS, and unrequested payments.'],
    ['/docs', 'API reference', 'Every address that your software can call, with examples.'],
  ]
  const shown = links.filter(
    ([url]) => (console || !url.startsWith('/console')) && (sandbox || url !== '/console/phone'),
  )
  const items = shown.map(([url, title, text]) => `  <li><a href="${url}">${title}</a> <span>${text}</span></li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${STYLE}</style>
<main>
<h1>${name}</h1>
<p>${sandbox ? 'This is a sandbox: no real money moves.' : 'Mobile money, collected and paid out.'}</p>
<ul>
${items.join('\n')}
</ul>
<p>Version ${escapeHtml(version)}.${console ? '' : ' The console is switched off; the command line does without it: <code>npx kusanya --help</code>'}</p>
</main>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
