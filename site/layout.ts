import { join } from 'node:path'

/** The repository. */
export const ROOT = join(import.meta.dirname, '..')
/** The address of the site at the service. */
export const BASE = '/docs/'
/** The folder that the service serves. */
export const SERVED_DIR = join(import.meta.dirname, 'dist')

/** The pages of the root that belong to the site: the file → its page. */
export const ROOT_PAGES: Record<string, string> = {
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
}

/** The page of a Markdown file of the repository, such as `operating/install.md`; undefined if the site does not have it. */
export function pageOf(file: string): string | undefined {
  if (file === 'README.md') return 'index.md'
  if (file in ROOT_PAGES) return ROOT_PAGES[file]
  if (!file.startsWith('docs/') || !file.endsWith('.md')) return undefined
  return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Return the text page for a file that is no page, such as a configuration to copy. */
export function textOf(file: string): string {
  return `files/${file}.txt`
}
