import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { pageOf, ROOT, textOf } from './layout.ts'

/** Target of a link in a Markdown file. */
export type Target =
  | { kind: 'page'; page: string; anchor: string }
  | { kind: 'file'; file: string }
  | { kind: 'folder' }
  | { kind: 'missing' }

/** Find where a relative link leads. @param from the Markdown file, relative to the repository, with forward slashes */
export function targetOf(from: string, href: string): Target {
  const [path = '', anchor = ''] = href.split('#')
  const file = path === '' ? from : slashes(relative(ROOT, join(ROOT, dirname(from), decodeURI(path))))
  const found = join(ROOT, file)
  if (file.startsWith('..') || !existsSync(found)) return { kind: 'missing' }
  if (statSync(found).isDirectory())
    return existsSync(join(found, 'README.md')) ? targetOf(`${file}/README.md`, '') : { kind: 'folder' }
  const page = pageOf(file)
  return page ? { kind: 'page', page, anchor } : { kind: 'file', file }
}

/** The relative links of a Markdown file, outside of code. */
export function linksOf(file: string): string[] {
  return linksIn(readFileSync(join(ROOT, file), 'utf8'))
}

/** The relative links of a text, outside of code. */
export function linksIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!).filter((href) => !OTHER_LINK.test(href))
}

/** The files outside of `docs` that pages lead to, which the site has as texts. */
export function linkedFilesOf(files: Iterable<string>): string[] {
  const targets = [...files].flatMap((file) => linksOf(file).map((href) => targetOf(file, href)))
  const linked = targets.flatMap((target) => (target.kind === 'file' && !isImage(target.file) ? [target.file] : []))
  return [...new Set(linked)].sort()
}

const OTHER_LINK = /^([a-z]+:|\/)/i
const isImage = (file: string) => /\.(png|svg)$/.test(file)

/**
 * Let relative links work on the site as they do on GitHub: links to pages lead to pages, wherever their file is; links
 * to other files to their text; and those to folders, which have no page, are text.
 */
export function followLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('follow-links', (state) => {
    // The rendered page has its address as path here, and its file's path there; the search has only the latter.
    const { path, realPath } = state.env as { path: string; realPath?: string }
    const from = slashes(relative(ROOT, realPath ?? path))
    for (const { children } of state.tokens) if (children) for (const token of children) followLink(from, token)
  })
}

type Token = NonNullable<ReturnType<MarkdownRenderer['parse']>[number]['children']>[number]

function followLink(from: string, token: Token): void {
  const href = token.type === 'link_open' && token.attrGet('class') !== 'header-anchor' && token.attrGet('href')
  if (!href || href.startsWith('#') || OTHER_LINK.test(href)) return
  const target = targetOf(from, href)
  if (target.kind === 'missing') throw new Error(`${from} has a link to ${href}, which does not exist.`)
  if (target.kind === 'page') token.attrSet('href', `/${target.page}${target.anchor && `#${target.anchor}`}`)
  if (target.kind === 'folder') token.attrs = []
  if (target.kind !== 'file') return
  token.attrSet('href', `/${textOf(target.file)}`)
  token.attrSet('target', '_self')
}

function slashes(path: string): string {
  return path.split(sep).join('/')
}
