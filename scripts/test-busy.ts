import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/*
 * `npm run test:busy` runs the first lane of the tests beside programs that keep every core busy: a test that depends on the speed of
 * the machine fails. What is written after `--` goes to vitest.
 */

const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
)
const endLoad = () => {
  for (const program of load) program.kill('SIGKILL')
}
process.on('exit', endLoad)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const tests = spawn('npm', ['test', '--', ...process.argv.slice(2)], { stdio: 'inherit' })
const [code] = (await once(tests, 'exit')) as [number | null]
process.exit(code ?? 1)
