import { afterAll, beforeAll, describe, it } from 'vitest'
import { openConsole, pointer, WINDOWS } from './hands.ts'
import { AGENT, type Caller, closeDesk, type Desk, openDesk, walkSupport } from './support.ts'

const CALLERS: Record<(typeof WINDOWS)[number]['name'], Caller> = {
  desk: { name: 'Nakato Wamala', phone: '+80071000109', typed: 'INV 941' },
  phone: { name: 'Babirye Kigozi', phone: '+80072000109', typed: 'INV 942' },
}

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
}, 300_000)
afterAll(() => closeDesk(desk))

describe.each(WINDOWS)('the day of a support agent at $size.width px', { timeout: 300_000 }, (window) => {
  it('finds a payer, requests money again, matches a payment, and resends a receipt and a webhook', async () => {
    const page = await openConsole(desk.browserTest, AGENT, window)
    await walkSupport(desk, pointer(page), CALLERS[window.name], window.name)
  })
})
