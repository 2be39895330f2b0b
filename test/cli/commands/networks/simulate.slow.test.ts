import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SANDBOX_SECRET } from '../../../../src/simulator/standalone.ts'

const PROGRAM = join(import.meta.dirname, '../../../../src/cli/index.ts')

/** Start the simulated networks in their own process and wait until they say where they are. */
async function startNetworks(data: string) {
  const args = ['networks', 'simulate', '--port', '0', '--data', data, '--json']
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n')) break
  }
  const { url, networks } = JSON.parse(text) as { url: string; networks: { code: string; hosts: { api: string } }[] }
  return {
    url,
    api: networks.find(({ code }) => code === 'sandbox')!.hosts.api,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

const headers = { authorization: `Bearer ${SANDBOX_SECRET}`, 'content-type': 'application/json' }
const order = {
  reference: 'A1',
  receiver: '600',
  phonenumber: '+256772000109',
  amount: '1500',
  currency: 'UGX',
  reason: 'Toys',
  prompt: true,
}

it('serves simulated networks without a gateway, and keeps what happened', async () => {
  const data = await mkdtemp(join(tmpdir(), 'kusanya-networks-'))
  try {
    const first = await startNetworks(data)
    expect(first.api).toBe(`${first.url}/sandbox`)
    const placed = await fetch(`${first.api}/orders`, { method: 'POST', headers, body: JSON.stringify(order) })
    expect(placed.status).toBe(202)
    expect(await first.stop()).toBe(0)

    const second = await startNetworks(data)
    const approve = { phonenumber: order.phonenumber }
    await fetch(`${second.url}/simulator/approve`, { method: 'POST', headers, body: JSON.stringify(approve) })
    const found = await fetch(`${second.api}/orders/A1`, { headers })
    expect(await found.json()).toMatchObject({ state: 'paid', transaction: { amount: '1500.0000' } })
    expect(await second.stop()).toBe(0)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
})

it('refuses an invalid port', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'networks', 'simulate', '--port', '99999'])
  const errors = (await child.stderr.setEncoding('utf8').toArray()).join('')
  expect(errors).toContain('It must be a port, from 0 to 65535.')
})
