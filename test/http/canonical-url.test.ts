import { describe, expect, it } from 'vitest'
import { canonicalUrl, originForm } from '../../src/http/canonical-url.ts'

describe('the canonical URL', () => {
  it.each([
    ['/api/v1/events?limit=1', '/api/events?limit=1'],
    ['/api/v5', '/api'],
    ['/api/baxipay/services/airtime/providers', '/api/gateway/services/airtime/providers'],
    ['/api/v2/baxipay/superagent/account/balance', '/api/gateway/superagent/account/balance'],
    ['/api/gateway/services/superagent/account/balance', '/api/gateway/superagent/account/balance'],
    ['/api/baxipay/services/billers/category/all', '/api/gateway/billers/category/all'],
    ['/api/gateway/services/multichoice/addons', '/api/gateway/services/cabletv/addons'],
    ['/api/gateway/services/namefinder', '/api/gateway/services/namefinder/query'],
    ['/api/gateway/services/namefinder/?a=1', '/api/gateway/services/namefinder/query/?a=1'],
    ['/api/baxipay/exampins/products', '/api/gateway/services/exampin/products'],
    ['/api/gateway/services/exampins/request', '/api/gateway/services/exampin/request'],
    ['/api/baxipay/services/exampin/purchase', '/api/gateway/services/exampin/request'],
    ['/api/gateway/services/electricity/providers?a=1', '/api/gateway/services/electricity/billers?a=1'],
    ['/api/v2/baxipay/services/data/bundles', '/api/gateway/services/databundle/bundles'],
    ['/api/gateway/billers/providers/all', '/api/gateway/billers/provider/all'],
    ['/api/gateway/billers/services/category/epin', '/api/gateway/billers/services/category?service_type=epin'],
    ['/api/gateway/billers/services/category/epin/?a=1', '/api/gateway/billers/services/category?service_type=epin'],
    ['/api/gateway/superagent/balance', '/api/gateway/superagent/account/balance'],
    ['/api/gateway/superagent/transaction?reference=1', '/api/gateway/superagent/transaction/requery?reference=1'],
    ['/api/gateway/superagent/services/refresh', '/api/gateway/billers/services/list'],
  ])('of %s is %s', (url, canonical) => {
    expect(canonicalUrl(url)).toBe(canonical)
    expect(canonicalUrl(canonical)).toBe(canonical)
  })

  it.each([
    '/api/v6/events',
    '/api/v11',
    '/api/baxipays',
    '/api/events?next=/api/baxipay/x',
    '/api/gateway/services/multichoices/list',
    '/api/gateway/services/electricity/request?path=/services/multichoice/',
    '/docs',
    '*',
  ])('of %s is the same', (url) => {
    expect(canonicalUrl(url)).toBe(url)
  })
})

describe('the path of a request', () => {
  it.each([
    ['http://pay.example.com/api/currencies?limit=1', '/api/currencies?limit=1'],
    ['HTTPS://pay.example.com:443/', '/'],
    ['http://pay.example.com', '/'],
    ['http://pay.example.com?next=http://a/b', '/?next=http://a/b'],
    ['/api/currencies?at=http://a/b', '/api/currencies?at=http://a/b'],
    ['*', '*'],
  ])('of %s is %s', (target, path) => {
    expect(originForm(target)).toBe(path)
  })
})
