import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Return true if Kannel is installed here (Debian: the package kannel). */
export function hasKannel(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v bearerbox && command -v smsbox'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Kannel as it is, with an SMSC of its own kind `fake`: lines `sender receiver coding text` over TCP, in both directions.
 */
export interface RealKannel {
  /** The address of smsbox. */
  url: string
  /** Input of the SMSC, line by line. */
  lines: string[]
  /** A customer sends an SMS. */
  text(from: string, to: string, words: string): void
  close(): Promise<void>
}

export async function startKannel(options: { password: string; incoming_url: string }): Promise<RealKannel> {
  const folder = await mkdtemp(join(tmpdir(), 'kannel-'))
  const [admin, box, sendsms, smsc] = (await freePorts(4)) as [number, number, number, number]
  const config = join(folder, 'kannel.conf')
  await writeFile(config, configuration({ admin, box, sendsms, smsc, ...options }))
  const processes: ChildProcess[] = []
  const run = (program: string) => processes.push(spawn(program, ['-v', '4', config], { cwd: folder, stdio: 'ignore' }))
  run('bearerbox')
  const socket = await connectTo(smsc)
  const lines: string[] = []
  let rest = ''
  socket.setEncoding('utf8').on('data', (data) => {
    const parts = `${rest}${data}`.split('\n')
    rest = parts.pop()!
    lines.push(...parts)
  })
  await connectTo(box).then((probe) => probe.destroy())
  run('smsbox')
  await connectTo(sendsms).then((probe) => probe.destroy())
  return {
    url: `http://127.0.0.1:${sendsms}`,
    lines,
    text: (from, to, words) => void socket.write(`${from} ${to} text ${words}\n`),
    async close() {
      socket.destroy()
      await Promise.all(processes.reverse().map(end))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(
  parts: Record<'admin' | 'box' | 'sendsms' | 'smsc', number> & { password: string; incoming_url: string },
) {
  const { admin, box, sendsms, smsc, password, incoming_url } = parts
  return `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = ${password}
smsbox-port = ${box}
box-allow-ip = 127.0.0.1
dlr-storage = internal

group = smsc
smsc = fake
smsc-id = fake
port = ${smsc}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1
http-request-retry = 2
http-queue-delay = 1

group = sendsms-user
username = kusanya
password = ${password}
user-allow-ip = 127.0.0.1
concatenation = true
max-messages = 10

group = sms-service
keyword = default
catch-all = yes
get-url = "${incoming_url}?id=%I&from=%p&to=%P&charset=%C&text=%a"
max-messages = 0
`
}

/** A program that does not listen yet refuses the connection. */
async function connectTo(port: number): Promise<Socket> {
  for (let tries = 0; tries < 600; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const connected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    if (connected) return socket
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Nothing listens at port ${port}.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(timer)
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
