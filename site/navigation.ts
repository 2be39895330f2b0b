import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { pageOf, ROOT, ROOT_PAGES } from './layout.ts'

/** A group of pages. Pages of its folders that are not named follow in the order of their names, so none is forgotten. */
interface Group {
  text: string
  pages: string[]
  folders?: string[]
}

const GROUPS: Group[] = [
  { text: 'Start', pages: ['index', 'getting-started', 'how-it-works', 'glossary'] },
  {
    text: 'Manual of the console',
    pages: [
      'console',
      ...in_(
        'manual',
        'request-money',
        'payment-links',
        'invoices',
        'pay-people',
        'approve',
        'reconcile',
        'refund',
        'answer-a-customer',
        'add-a-colleague',
        'go-live',
      ),
    ],
    folders: ['manual'],
  },
  {
    text: 'Guides',
    pages: [
      ...in_(
        'guides',
        'typescript',
        'python',
        'php',
        'java',
        'assistants',
        'woocommerce',
        'moving-over',
        'school-fees',
        'closing-a-day',
        'testing',
        'other-simulators',
        'going-live',
      ),
      'connections',
      'request-actions',
      'payments',
      'simulated-networks',
    ],
    folders: ['.', 'guides'],
  },
  {
    text: 'Networks',
    pages: ['networks', ...in_('networks', 'mtn-momo', 'airtel-money', 'daraja', 'pawapay', 'gsma-momo')],
    folders: ['networks'],
  },
  { text: 'SMS', pages: ['sms'], folders: ['sms'] },
  { text: 'Bills', pages: ['bills'], folders: ['bills'] },
  { text: 'Payment links', pages: ['payment-links', 'invoices', 'matching', 'receivables'] },
  {
    text: 'Clients',
    pages: [...in_('clients', 'index', 'typescript', 'python', 'php'), 'compatibility'],
    folders: ['clients'],
  },
  { text: 'API reference', pages: ['/reference', 'interface-gaps'] },
  {
    text: 'Operating',
    pages: [
      'operating',
      ...in_(
        'operating',
        'install',
        'containers',
        'upgrade',
        'settings',
        'start-and-stop',
        'sandbox',
        'commands',
        'users',
      ),
      ...in_('operating', 'database', 'cluster', 'replicas', 'backup', 'retention', 'secret-key', 'audit-log'),
      ...in_('operating', 'monitoring', 'metrics', 'log', 'tracing', 'incidents'),
      ...in_('operating', 'unmatched-money', 'callbacks', 'orders-by-hand', 'reconciliation', 'payment-control'),
      ...in_('operating', 'contacts', 'webhooks', 'sms'),
      'performance',
      'scale',
    ],
    folders: ['operating'],
  },
  { text: 'Security', pages: ['security', 'security-policy'] },
  { text: 'Decisions', pages: ['decisions/index'], folders: ['decisions'] },
  { text: 'The project', pages: ['architecture', 'contributing', 'changelog'] },
]

/** Names that say more, or less, than the first heading of the page. */
const NAMES: Record<string, string> = {
  index: 'What Kusanya is',
  networks: 'How networks answer',
  console: 'The console',
  sms: 'How SMS work',
  bills: 'How bills work',
  operating: 'All pages for operators',
  'clients/index': 'What all clients do',
  'clients/typescript': 'TypeScript',
  'clients/python': 'Python',
  'clients/php': 'PHP',
  compatibility: 'Clients that you already have',
  'interface-gaps': 'Interpretation notes',
  security: 'Protection and tested attacks',
  'security-policy': 'Report a vulnerability',
  'decisions/index': 'What a decision record is',
  architecture: 'Architecture',
}

/** The pages of the site without `.md`, and their files. */
export type Pages = Map<string, string>

export function findPages(): Pages {
  const files = [...Object.keys(ROOT_PAGES), ...globSync('docs/**/*.md', { cwd: ROOT })]
  return new Map(files.map((path) => path.split(sep).join('/')).map((file) => [nameOf(pageOf(file)!), file] as const))
}

/** The list of all pages at the left of each. */
export function sidebar(pages: Pages): DefaultTheme.SidebarItem[] {
  const named = new Set(GROUPS.flatMap((group) => group.pages))
  return GROUPS.map(({ text, pages: first, folders = [] }) => {
    const others = [...pages.keys()].filter((page) => !named.has(page) && folders.includes(folderOf(page))).sort()
    return { text, collapsed: text === 'Decisions', items: [...first, ...others].map((page) => itemOf(page, pages)) }
  })
}

function itemOf(page: string, pages: Pages): DefaultTheme.SidebarItem {
  if (page === '/reference') return { text: 'The reference', link: page, target: '_self' }
  const file = pages.get(page)
  if (!file) throw new Error(`The navigation names the page ${page}, which does not exist.`)
  return { text: NAMES[page] ?? headingOf(file), link: `/${page.replace(/(^|\/)index$/, '$1')}` }
}

function headingOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]
  if (!heading) throw new Error(`${file} has no heading.`)
  return heading.replaceAll('`', '')
}

function folderOf(page: string): string {
  return page.includes('/') ? page.slice(0, page.lastIndexOf('/')) : '.'
}

function in_(folder: string, ...names: string[]): string[] {
  return names.map((name) => `${folder}/${name}`)
}

function nameOf(page: string): string {
  return page.replace(/\.md$/, '')
}
