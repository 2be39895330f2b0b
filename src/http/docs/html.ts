import { createHash } from 'node:crypto'
import type { Language } from '../../lib/text/languages.ts'

/** The style of the pages that the service writes itself at `/` and `/docs`. */
export const STYLE = `
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

/** The browser runs and loads nothing on these pages but their style. */
export const PLAIN_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A page without scripts. @param content HTML */
export function plainPage(title: string, content: string, language: Language = 'en'): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
