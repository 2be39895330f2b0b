import { afterAll, beforeAll, it } from 'vitest'
import { openConsole, WINDOWS } from './hands.ts'
import { keyboard } from './keyboard.ts'
import { AGENT, closeDesk, type Desk, openDesk, walkSupport } from './support.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
}, 300_000)
afterAll(() => closeDesk(desk))

it('a support agent does the work of a day with the keyboard alone', { timeout: 300_000 }, async () => {
  const page = await openConsole(desk.browserTest, AGENT, WINDOWS[0])
  const caller = { name: 'Nakato Wamala', phone: '+80071000109', typed: 'INV 941' }
  await walkSupport(desk, keyboard(page), caller, 'keyboard')
})
