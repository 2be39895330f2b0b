import { describe, expect, it } from 'vitest'
import { createBillers, upstreamOfSettings } from '../../src/billers/index.ts'
import { readConfig } from '../../src/config.ts'
import { WrongSetting } from '../../src/lib/wrong-setting.ts'

const simulated = { url: () => 'http://127.0.0.1:2', secret: 'a secret' }
const open = (settings: Record<string, string>) => createBillers(readConfig(settings), simulated)
const codes = (settings: Record<string, string>) => open(settings).map((biller) => biller.code)
const LIVE = { MODE: 'live', SECRET_KEY: 'x'.repeat(32) }
const UPSTREAM = { UPSTREAM_URL: 'https://pay.example.com/api/gateway', UPSTREAM_KEY: 'a-key' }

describe('the billers of an installation', () => {
  it('are the simulated one in the sandbox, and none in live mode', () => {
    expect(codes({})).toEqual(['sandbox'])
    expect(codes(LIVE)).toEqual([])
  })

  it('sell one at a time: the simulated one only answers for earlier purchases where BILLER names the other host', () => {
    const whoSells = (settings: Record<string, string>) => [
      open(settings)[0]?.sells ?? false,
      upstreamOfSettings(readConfig(settings))?.is_used,
    ]
    expect(whoSells({ ...UPSTREAM, BILLER: 'upstream' })).toEqual([false, true])
    expect(whoSells({ ...UPSTREAM, BILLER: 'sandbox' })).toEqual([true, false])
    expect(whoSells(UPSTREAM)).toEqual([true, false])
    expect(whoSells({ ...LIVE, ...UPSTREAM })).toEqual([false, true])
    expect(whoSells({})).toEqual([true, undefined])
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
