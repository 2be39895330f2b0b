import { connect as connectTo, createServer } from 'node:net'
import { connect } from '../../../src/db/client.ts'
import { createSimulator } from '../../../src/simulator/index.ts'

/*
 * A program: a simulated network with a database of its own, at a fixed port, so that it can be killed and started again.
 * Arguments: the database, the port, the secret, the callback address of the service.
 */

const [database, port, secret, callback_url] = process.argv.slice(2) as [string, string, string, string]
const real = () => new Date()
const simulator = createSimulator({
  db: connect(database, { connections: 8, application: 'simulated network' }),
  ...{ now: real, real, secret, callback_url: () => callback_url },
  onError: (job, error) => {
    process.stderr.write(`${job}: ${error instanceof Error ? error.stack : String(error)}\n`)
  },
})
const inner = new URL(await simulator.listen())
simulator.start()
createServer((client) => {
  const network = connectTo(Number(inner.port), inner.hostname)
  client.pipe(network).pipe(client)
  for (const [one, other] of [
    [client, network],
    [network, client],
  ] as const)
    one.on('error', () => other.destroy())
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
