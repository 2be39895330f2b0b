import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { openBrowser } from '../../console/browser.ts'

const WEB = join(import.meta.dirname, '../../../web')

/** A page of the console, as its list of pages declares it. */
export interface Route {
  path: string
  permission?: string
}

/** Read the pages from the source, because the list itself belongs to the browser. */
export function readRoutes(): Route[] {
  const source = ['pages/index.tsx', 'router.tsx'].map((name) => readFileSync(join(WEB, name), 'utf8')).join('\n')
  const routes = source.split(/(?=\bpath: ')/).flatMap((part): Route[] => {
    const path = /^path: '([^']+)'/.exec(part)?.[1]
    return path === undefined ? [] : [{ path, permission: /\bpermission: '(\w+)'/.exec(part)?.[1] }]
  })
  return [...new Map(routes.map((route) => [route.path, route])).values()]
}

/** Routes that are not walked: one for addresses without a page, and one that ends the session. */
export const LEFT_OUT = ['$', '/link']

/** The list in which the object of a page with a parameter is found, and its parameters in the order of the path. */
const LISTS: Record<string, { list: string; parameters: readonly string[] }> = {
  '/collectionrequests/$id': { list: '/collectionrequests?status=successful', parameters: ['id'] },
  '/payment-links/$id': { list: '/paymentlinks', parameters: ['id'] },
  '/invoices/$id': { list: '/invoices?state=issued', parameters: ['id'] },
  '/invoices/$id/edit': { list: '/invoices?state=draft', parameters: ['id'] },
  '/collections/$id': { list: '/incoming?unmatched=true', parameters: ['id'] },
  '/contacts/$id': { list: '/contacts?phone_number=%2B80000000077', parameters: ['id'] },
  '/contacts/$id/statement': { list: '/contacts?phone_number=%2B80000000077', parameters: ['id'] },
  '/wallets/$id': { list: '/accounts?currency=BXC', parameters: ['id'] },
  '/reconciliation/$id': { list: '/reconciliations', parameters: ['id'] },
  '/bulk-payments/$id': { list: '/bulk-payments', parameters: ['id'] },
  '/plans/$id': { list: '/plans', parameters: ['id'] },
  '/payments/$id': { list: '/payments', parameters: ['id'] },
  '/bills/catalogue/$id': { list: '/services', parameters: ['id'] },
  '/bills/$id': { list: '/purchases', parameters: ['id'] },
  '/events/$id': { list: '/events', parameters: ['id'] },
  '/webhooks/$id': { list: '/webhooks/health', parameters: ['id'] },
  '/deliveries/$webhook/$event': { list: '/webhooks/deliveries', parameters: ['webhook', 'event'] },
  '/connections/$slug': { list: '/connections', parameters: ['slug'] },
}

/** The address of a page, with an object that the shop has. @throws Error for a page that is not listed here */
export async function addressOf({ path }: Route, owner: ReturnType<typeof openBrowser>): Promise<string> {
  if (!path.includes('$')) return path
  const known = LISTS[path]
  if (!known) throw new Error(`${path} is new: say in test/web/pictures/routes.ts which list has its objects.`)
  const { status, body } = await owner.get(known.list)
  const [object] = status === 200 ? body.results : []
  if (!object)
    throw new Error(`${path}: ${known.list} answers ${status} and no object; add one in test/web/pictures/shop.ts.`)
  return known.parameters.reduce((address, name) => address.replace(/\$\w+/, encodeURIComponent(object[name])), path)
}

/** The addresses of pages that need no session, by the name of their pictures. */
export async function visitsOf(
  url: string,
  owner: ReturnType<typeof openBrowser>,
): Promise<ReadonlyMap<string, string>> {
  const first = async (list: string) => (await owner.get(list)).body.results[0].url as string
  return new Map([
    ['visitor-front-page', url],
    ['visitor-sign-in', `${url}/console`],
    ['visitor-used-link', `${url}/console/link#used`],
    ['visitor-pay', await first('/paymentlinks')],
    ['visitor-pay-unknown', `${url}/pay/unknown`],
    ['visitor-invoice', await first('/invoices?state=issued')],
    ['visitor-receipt', await first('/receipts')],
    ['visitor-docs', `${url}/docs/`],
    ['visitor-not-found', `${url}/nothing`],
  ])
}
