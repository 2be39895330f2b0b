import { writeSync } from 'node:fs'
import { takeWorker } from '../../../src/lib/workers/worker.ts'

/* A program that lets a process work, prints its id, and ends or stays. At its end it says whether the process still waits. */

const worker = takeWorker<'who', string>(new URL('hungry', import.meta.url), 64)
const pid = await worker.ask('who', 60_000)
worker.leave()
writeSync(1, `${pid} `)
process.on('exit', () => writeSync(1, process.kill(Number(pid), 0) ? 'waits' : ''))
if (process.argv[2] === 'stay') setInterval(() => {}, 60_000)
