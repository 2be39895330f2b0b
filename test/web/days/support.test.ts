import { afterAll, beforeAll, describe, it } from 'vitest'
import { WINDOWS } from '../pictures/variants.ts'
import { openConsole, pointer } from './hands.ts'
import { keyboard } from './keyboard.ts'
import { AGENT, closeDesk, type Desk, openDesk, walkSupport } from './support.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
}, 300_000)
afterAll(() => closeDesk(desk))

describe('a support agent does the work of a day', { timeout: 300_000 }, () => {
  // She finds a payer, requests money again, matches a payment, and resends a receipt and a webhook.
  it('with a phone', async () => {
    const page = await openConsole(desk.browserTest, AGENT, WINDOWS.phone)
    const caller = { name: 'Babirye Kigozi', phone: '+80072000109', typed: 'INV 942' }
    await walkSupport(desk, pointer(page), caller, 'phone')
  })

  it('at a desk with the keyboard alone', async () => {
    const page = await openConsole(desk.browserTest, AGENT, WINDOWS.desk)
    const caller = { name: 'Nakato Wamala', phone: '+80071000109', typed: 'INV 941' }
    await walkSupport(desk, keyboard(page), caller, 'keyboard')
  })
})
