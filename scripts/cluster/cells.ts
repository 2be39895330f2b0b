import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program, waitFor } from './children.ts'
import { type Cluster, startCluster, startServing } from './cluster.ts'
import { type ClusterOptions, HOST, portsOf } from './layout.ts'
import { programs } from './programs.ts'

/** Several cells behind one address, each a whole cluster. */
export interface Cells {
  url: string
  cells: readonly Cluster[]
  stop(): Promise<void>
}

/** The example for production, which these cells use with other ports and without TLS. */
const EXAMPLE = fileURLToPath(new URL('../../deploy/cells/haproxy.cfg', import.meta.url))

/** The ports between two cells. */
const PORTS_PER_CELL = 100

/** Start cells one after another, and HAProxy before them. @throws Error when a program does not start; nothing is left then */
export async function startCells(
  options: ClusterOptions,
  count: number,
  progress: (text: string) => void,
): Promise<Cells> {
  const url = `http://${HOST}:${options.port}`
  const numbers = Array.from({ length: count }, (_, number) => number)
  const portOf = (number: number) => options.port + PORTS_PER_CELL * (number + 1)
  const addresses = Object.fromEntries(numbers.map((number) => [number, `http://${HOST}:${portOf(number)}`]))
  const secret = randomBytes(16).toString('hex')
  const cells: Cluster[] = []
  const programsOfAll: Program[] = []
  const stop = async () => {
    for (const program of programsOfAll) await program.stop(3_000)
    for (const cell of cells) await cell.stop()
  }
  try {
    for (const number of numbers) {
      const cell = { number, public_url: url, addresses, secret }
      cells.push(
        await startCluster({ ...options, port: portOf(number), cell }, (text) => progress(`cell ${number}: ${text}`)),
      )
    }
    progress('HAProxy before the cells')
    const balancer = createBalancer(options.port, cells)
    programsOfAll.push(balancer)
    balancer.start()
    await waitFor(
      'HAProxy leads to the cells',
      async () => (await fetch(`${url}/api/currencies`)).status === 401,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${balancer.lastLines()}`)
    })
    return { url, cells, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** HAProxy with the rules of the example. */
function createBalancer(port: number, cells: readonly Cluster[]): Program {
  const { layout } = cells[0]!
  const etc = join(layout.folder, 'etc')
  const changes: [string, string][] = [
    ['bind :80\n', `bind ${HOST}:${port + 1}\n`],
    ['bind :443 ssl crt /etc/haproxy/pay.example.com.pem alpn h2,http/1.1', `bind ${HOST}:${port}`],
    ['set-header X-Forwarded-Proto https', 'set-header X-Forwarded-Proto http'],
    ['/etc/haproxy/cells/', `${etc}/`],
  ]
  let text = readFileSync(EXAMPLE, 'utf8')
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${EXAMPLE} has no longer the text ${JSON.stringify(from)}.`)
    text = text.replaceAll(from, to)
  }
  const backend = /^backend cell1\n(?: .*\n)+/m.exec(text)![0]
  const more = cells
    .slice(2)
    .map((_, index) => backend.replaceAll('cell1', `cell${index + 2}`).replaceAll('CELL1', `CELL${index + 2}`))
  writeFileSync(join(etc, 'cells.cfg'), [text, ...more].join('\n'), { mode: 0o644 })
  for (const [map] of text.matchAll(/[^\s(]+\.map\b/g)) writeFileSync(map, '', { mode: 0o644 })
  const servers = cells.flatMap((cell, number) =>
    [1, 2].map((place) => [`CELL${number}_SERVICE${place}`, `${HOST}:${portsOf(cell.layout).service(place)}`]),
  )
  return new Program(layout, {
    name: 'haproxy-cells',
    command: programs.haproxy.path,
    args: ['-db', '-f', join(etc, 'cells.cfg')],
    as_server: true,
    environment: Object.fromEntries(servers),
  })
}

/** Kill a whole cell at once, as when its site loses power. It stays off until the result is called. */
export async function killCell(cell: Cluster): Promise<() => Promise<void>> {
  const { services, nodes, etcds, balancer, pooler, guards } = cell
  const others = [...services, balancer, pooler, ...guards, ...etcds]
  await Promise.all([...others.map((program) => program.hold()), ...nodes.map((node) => node.kill())])
  return async () => {
    for (const program of [...etcds, balancer, pooler, ...guards]) program.start()
    for (const node of nodes) node.start()
    for (const service of services) service.start()
    await startServing(cell)
  }
}
