import { expect, it } from 'vitest'
import type { ThreadAnswer } from '../../../src/lib/threads/answer-questions.ts'
import { type Thread, takeThread } from '../../../src/lib/threads/thread.ts'

type Asked = Thread<'who' | 'crash', ThreadAnswer<string>>

const take = (megabytes: number): Asked =>
  takeThread(new URL('hungry', import.meta.url), { maxOldGenerationSizeMb: megabytes })

/** The number of the thread that answers. */
async function askWho(thread: Asked): Promise<string> {
  const answer = await thread.ask('who', 60_000)
  return 'value' in answer ? answer.value : String(answer.error)
}

it('a thread does one piece of work after the other, and only those with its limits', async () => {
  const first = take(65)
  const who = await askWho(first)
  const beside = take(65)
  const other = await askWho(beside)
  expect(other).not.toBe(who)
  first.leave()
  const larger = take(66)
  expect(await askWho(larger)).not.toBe(who)
  larger.leave()
  const next = take(65)
  expect(await askWho(next)).toBe(who)
  beside.leave()
  next.leave()
})

it('a thread that fails is not taken again', async () => {
  const failed = take(67)
  const who = await askWho(failed)
  await expect(failed.ask('crash', 60_000)).rejects.toThrow('The thread has ended.')
  failed.leave()
  const next = take(67)
  expect(await askWho(next)).not.toBe(who)
  next.leave()
})
