/**
 * The path and the query of a request's target. Clients behind some proxies send the whole address, which every server
 * must accept (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  const path = /^https?:\/\/[^/?]*(.*)$/is.exec(target)?.[1]
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`
}

/**
 * The URL in the one spelling that the routes have: without a version segment, with `/api/gateway` for `/api/baxipay`,
 * and with one name for each bill-payment route that existing clients know under several names.
 */
export function canonicalUrl(url: string): string {
  const unversioned = url.replace(/^\/api\/v[1-5](?=[/?]|$)/, '/api')
  const plain = unversioned.replace(/^\/api\/baxipay(?=[/?]|$)/, '/api/gateway')
  if (!plain.startsWith('/api/gateway/')) return plain
  return aliases.reduce((path, [alias, canonical]) => path.replace(alias, canonical), plain)
}

const aliases: [alias: RegExp, canonical: string][] = [
  [/^\/api\/gateway\/services\/(superagent|billers)(?=\/)/, '/api/gateway/$1'],
  [/^\/api\/gateway\/services\/multichoice(?=\/)/, '/api/gateway/services/cabletv'],
  [/^\/api\/gateway\/services\/namefinder(?=\/?(?:\?|$))/, '/api/gateway/services/namefinder/query'],
  [/^\/api\/gateway\/(?:services\/)?exampins?(?=\/)/, '/api/gateway/services/exampin'],
  [/^(\/api\/gateway\/services\/exampin)\/purchase(?=\/?(?:\?|$))/, '$1/request'],
  [/^(\/api\/gateway\/services\/electricity)\/providers(?=\/?(?:\?|$))/, '$1/billers'],
  [/^\/api\/gateway\/services\/data(?=\/)/, '/api/gateway/services/databundle'],
  [/^(\/api\/gateway\/billers)\/providers(?=\/)/, '$1/provider'],
  [/^(\/api\/gateway\/billers\/services\/category)\/([^/?]+)\/?(?:\?.*)?$/, '$1?service_type=$2'],
  [/^(\/api\/gateway\/superagent)\/balance(?=\/?(?:\?|$))/, '$1/account/balance'],
  [/^(\/api\/gateway\/superagent\/transaction)(?=\/?(?:\?|$))/, '$1/requery'],
  [/^\/api\/gateway\/superagent\/services\/refresh(?=\/?(?:\?|$))/, '/api/gateway/billers/services/list'],
]
