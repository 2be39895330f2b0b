import { describe, expect, it } from 'vitest'
import { billerByCode, createBillers } from '../../src/billers/index.ts'
import { readConfig } from '../../src/config.ts'
import { WrongSetting } from '../../src/lib/wrong-setting.ts'

const simulated = { url: () => 'http://127.0.0.1:2', secret: 'a secret' }
const codes = (settings: Record<string, string>) =>
  createBillers(readConfig(settings), simulated).map((biller) => biller.code)
const LIVE = { MODE: 'live', SECRET_KEY: 'x'.repeat(32) }
const UPSTREAM = { UPSTREAM_URL: 'https://pay.example.com/api/gateway', UPSTREAM_KEY: 'a key' }

describe('the billers of an installation', () => {
  it('are the simulated one in the sandbox, and none in live mode', () => {
    expect(codes({})).toEqual(['sandbox'])
    expect(codes(LIVE)).toEqual([])
  })

  it('start with the one that sells; the other one answers for earlier purchases', () => {
    expect(codes({ ...UPSTREAM, BILLER: 'upstream' })).toEqual(['upstream', 'sandbox'])
    expect(codes({ ...UPSTREAM, BILLER: 'sandbox' })).toEqual(['sandbox', 'upstream'])
    expect(codes(UPSTREAM)).toEqual(['sandbox', 'upstream'])
    expect(codes({ ...LIVE, ...UPSTREAM })).toEqual(['upstream'])
  })

  it('are found by their codes', () => {
    const billers = createBillers(readConfig(UPSTREAM), simulated)
    expect(billerByCode(billers, 'upstream')?.name).toBe('Upstream')
    expect(billerByCode(billers, 'missing')).toBeUndefined()
  })

  it.each([
    ['BILLER=sandbox', { ...LIVE, BILLER: 'sandbox' }],
    ['UPSTREAM_URL and UPSTREAM_KEY', { BILLER: 'upstream' }],
    ['UPSTREAM_URL and UPSTREAM_KEY', { BILLER: 'upstream', UPSTREAM_URL: UPSTREAM.UPSTREAM_URL }],
  ])('are refused with a line that names %s', (words, settings) => {
    const start = () => codes(settings as Record<string, string>)
    expect(start).toThrow(WrongSetting)
    expect(start).toThrow(words)
  })
})
