import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RunProgram, startBuild } from '../../../src/cli/service/page-build.ts'

/** Run these programs as a build, one after the other. */
async function build(work: (run: RunProgram) => Promise<void>) {
  const errors: unknown[] = []
  const started = startBuild(work, (error) => errors.push(error))
  await started.done
  return { errors: errors.map(String) }
}

it('runs programs, in the background or not, and reads their output', async () => {
  const outputs: (string | null)[] = []
  const { errors } = await build(async (run) => {
    outputs.push(await run(['-e', 'process.stdout.write("one")']))
    outputs.push(await run(['-p', 'require("os").getPriority()'], { background: true }))
  })
  expect(errors).toEqual([])
  expect(outputs).toEqual(['one', '19\n'])
})

it('reports a failed program with its output', async () => {
  const { errors } = await build(async (run) => {
    await run(['-e', 'console.log("page 7"); throw new Error("no heading")'])
  })
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(/ended with 1: [\s\S]*page 7[\s\S]*no heading/)
})

it('ends quietly when it is stopped, and starts no further program', async () => {
  const errors: unknown[] = []
  const outputs: (string | null)[] = []
  const started = startBuild(
    async (run) => {
      outputs.push(await run(['-e', 'setTimeout(() => {}, 600_000)']))
      outputs.push(await run(['-e', 'process.stdout.write("two")']))
    },
    (error) => errors.push(error),
  )
  await sleep(50)
  started.stop()
  await started.done
  expect([errors, outputs]).toEqual([[], [null, null]])
})
