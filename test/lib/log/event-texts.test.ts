import { expect, it } from 'vitest'
import { logEventTexts } from '../../../src/lib/log/event-texts.ts'
import { logEvents } from '../../../src/lib/log-events.ts'

it('say of every event when it is logged and what to do', () => {
  expect(Object.keys(logEventTexts)).toEqual(Object.keys(logEvents))
  for (const [name, { when, what_to_do }] of Object.entries(logEventTexts))
    for (const text of [when, what_to_do]) expect(text, name).toMatch(/^\S.{5,}[^.\s]$/)
})
