/**
 * The path that routes are written for: without a version, and with one spelling where existing clients have several. The
 * original's own word becomes ours, and the bill counter's routes are found under each of their names.
 */
export function canonicalUrl(url: string): string {
  const plain = url.replace(/^\/api\/v[1-5](?=[/?]|$)/, '/api').replace(/^\/api\/baxipay(?=[/?]|$)/, '/api/gateway')
  if (!plain.startsWith('/api/gateway/')) return plain
  return spellings.reduce((path, [other, ours]) => path.replace(other, ours), plain)
}

const spellings: [other: RegExp, ours: string][] = [
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
