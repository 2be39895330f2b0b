import { resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { isLoopbackHost } from '../../../lib/http/ip-addresses.ts'
import type { Standalone } from '../../../simulator/standalone.ts'
import { CommandError } from '../../errors.ts'
import { addPlainCommand } from '../../plain-command.ts'
import { toJson } from '../../print.ts'
import { listenForStop } from '../../service/signals.ts'
import type { Terminal } from '../../terminal.ts'
import { type Given, preset, typed } from '../../typed.ts'

const DEFAULT_PORT = 4400

const SIMULATE = {
  port: preset(typed('--port <port>', 'the port of all networks; 0 for a free one', toPort), DEFAULT_PORT),
  host: preset(typed('--host <address>', 'the address to listen on'), '127.0.0.1'),
  data_dir: preset(typed('--data <folder>', 'where orders and money are kept'), './simulated-networks'),
  callback_url: typed(
    '--callback-url <url>',
    "where the sandbox's own network reports; the calls to others say it",
    toUrl,
  ),
}
type SimulateOptions = Given<typeof SIMULATE>

/** Add the command that serves the simulated networks, until a signal asks to stop. */
export function addSimulateNetworks(networks: Command, terminal: Terminal): void {
  addPlainCommand(networks, terminal, {
    name: 'simulate',
    description: 'run simulated networks for developers of integrations; needs no gateway',
    typed: SIMULATE,
    help: EXAMPLES,
    async run(options, { json }) {
      const stop = listenForStop()
      // The modules of the simulation are loaded only when it runs.
      const { startStandalone } = await import('../../../simulator/standalone.ts')
      const standalone = await startStandalone({
        ...options,
        callback_url: options.callback_url ?? null,
        onError: (job, error) => terminal.warn(`${job}: ${error instanceof Error ? error.message : String(error)}`),
      }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE')
          throw new CommandError(`Port ${options.port} is in use. Choose another one with --port.`)
        throw error
      })
      if (json) terminal.print(toJson(describe(standalone), 0))
      else printWelcome(terminal, standalone, options)
      await stop.requested
      await standalone.stop()
    },
  })
}

function describe({ url, simulator }: Standalone) {
  return {
    url,
    networks: simulator.doors.map(({ code, name, credentials, numbers }) => ({
      code,
      name,
      hosts: simulator.hostsOf(code),
      credentials,
      numbers,
    })),
  }
}

function printWelcome(terminal: Terminal, { url, simulator, notices }: Standalone, options: SimulateOptions): void {
  const { print, strong, faint } = terminal
  print()
  print(strong(`The simulated networks are ready at ${url}: no real money moves.`))
  for (const door of simulator.doors) {
    print()
    print(strong(`${door.name} (${door.code})`))
    for (const [name, address] of Object.entries(simulator.hostsOf(door.code))) print(`  ${name.padEnd(24)}${address}`)
    for (const { name, value } of door.credentials) print(`  ${name.padEnd(24)}${value}`)
    for (const { number, effect } of door.numbers) print(`  ${number.padEnd(24)}${effect}`)
  }
  print()
  print(`Open ${url} for the phones, the numbers that every network has, and the switches.`)
  print(faint(`Data: ${resolve(options.data_dir)}`))
  for (const notice of notices) print(faint(notice))
  if (!isLoopbackHost(options.host))
    terminal.warn(
      'Whoever reaches this port can act for the simulated customers and see what was sent to the networks.',
    )
  print(faint('Ctrl-C stops the networks and keeps the data.'))
  print()
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a port, from 0 to 65535.')
  return port
}

function toUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('It must be an http(s) URL.')
  return text
}

const EXAMPLES = `
Examples:
  $ npx kusanya networks simulate
  $ npx kusanya networks simulate --port 5500 --data /tmp/networks
  $ curl http://127.0.0.1:4400/simulator/doors`
