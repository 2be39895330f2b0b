import { ChildProcess } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { takeWorker } from '../../../src/lib/workers/worker.ts'

/*
 * A program with a process that works. It prints the id of the process, and ends or stays, while the process waits or is busy for ever.
 * At its end it says whether the process is still there. Or it has no file left to open when it asks.
 */

const [, , then] = process.argv
const take = () => takeWorker<'who' | 'hang', string>(new URL('hungry', import.meta.url), 64)

if (then === 'full') await askWithoutFiles()
const worker = take()
const pid = await worker.ask('who', 60_000)
if (then === 'busy') worker.ask('hang', 60_000).catch(() => {})
else worker.leave()
writeSync(1, `${pid} `)
process.on('exit', () => writeSync(1, process.kill(Number(pid), 0) ? 'waits' : ''))
if (then === 'stay') setInterval(() => {}, 60_000)
// By then the process has the question.
if (then === 'busy') setTimeout(() => process.exit(), 500)

/** Ask when this program may open no more files. */
async function askWithoutFiles(): Promise<void> {
  const { kill } = ChildProcess.prototype
  // It would end a process that has nothing to do with this one.
  ChildProcess.prototype.kill = () => writeSync(1, 'A signal goes astray. ') === 0
  const files: number[] = []
  try {
    for (;;) files.push(openSync('/dev/null', 'r'))
  } catch {}
  // The queue asks in a microtask.
  await Promise.resolve()
  const refused = await take()
    .ask('who', 60_000)
    .catch((error: Error) => error.message)
  for (const file of files) closeSync(file)
  ChildProcess.prototype.kill = kill
  writeSync(1, `${refused} `)
}
