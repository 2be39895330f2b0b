import { expect, it } from 'vitest'
import { networkDrivers } from '../../../../src/networks/index.ts'
import { openShell } from '../../shell.ts'

const kusanya = openShell({})

it('lists the networks with what they can do, without settings and without a database', async () => {
  const { code, out, err } = await kusanya(['networks', 'list', '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const rows = JSON.parse(out) as { code: string; abilities: string[] }[]
  expect(rows.map((row) => row.code)).toEqual(networkDrivers.map((driver) => driver.code))
  expect(rows.find((row) => row.code === 'sandbox')).toMatchObject({
    name: 'Sandbox Network',
    countries: ['XX', 'UG', 'KE', 'NG', 'any'],
    abilities: expect.arrayContaining(['collect', 'pay out', 'refund', 'look up holders']),
    simulated: '/sandbox',
  })
  // Every driver can be opened with invented settings, and collects.
  for (const { code: network, abilities } of rows)
    expect([network, abilities]).toEqual([network, expect.arrayContaining(['collect'])])
})

it('shows settings, environments, limits and habits of a network in words', async () => {
  const { code, out } = await kusanya(['networks', 'show', 'sandbox'])
  expect(code).toBe(0)
  const lines = out.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'Sandbox Network (sandbox)',
      '  sandbox: Sandbox, no real money',
      '  secret: Secret; secret',
      '    Authenticates our calls to the simulated network, and signs its callbacks to us.',
      '  A second call under one reference returns the order that there is, so it is safe.',
      '  Callbacks are signed, and count at once.',
    ]),
  )
  expect(out).toContain('XX BXC: 0.0001 to 999,999,999,999,999.9999, 4 decimals; payouts 10 to 5,000,000')
})

it('shows every driver as JSON', async () => {
  for (const { code: network, traits } of networkDrivers) {
    const { code, out } = await kusanya(['networks', 'show', network, '--json'])
    expect(code).toBe(0)
    const { habits, ...shown } = JSON.parse(out)
    expect(shown).toMatchObject({ code: network, traits: JSON.parse(JSON.stringify(traits)) })
    expect(habits.length).toBeGreaterThan(5)
  }
})

it('names the networks that there are', async () => {
  const { code, err } = await kusanya(['networks', 'show', 'plum'])
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^There is no network plum\. There are: .*\bsandbox\b/),
  })
})
