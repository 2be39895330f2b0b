import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** A fenced block of a page. */
export interface PageBlock {
  /** Relative to the repository, with forward slashes. */
  page: string
  /** The line of its fence. */
  line: number
  /** The words after the fence. */
  info: string
  text: string
}

/** All fenced blocks of README.md and of docs. */
export function findBlocks(): PageBlock[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).map((path) => path.split(sep).join('/'))]
  return pages.sort().flatMap((page) => blocksOf(page, readFileSync(join(ROOT, page), 'utf8')))
}

/** The blocks of a text. Those of lists are indented. */
export function blocksOf(page: string, text: string): PageBlock[] {
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm)].map((found) => ({
    page,
    line: text.slice(0, found.index).split('\n').length,
    info: found[2]!,
    text: found[3]!.replaceAll(new RegExp(`^${found[1]}`, 'gm'), ''),
  }))
}

export const placeOf = ({ page, line }: PageBlock) => `${page}:${line}`

/** The word that says how a block is run. Texts have a second one. */
export const languageOf = ({ info }: PageBlock) => (info.startsWith('text ') ? info : info.split(' ')[0]!)
