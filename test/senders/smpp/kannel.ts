import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAMS = { bearerbox: '/usr/sbin/bearerbox', smsbox: '/usr/sbin/smsbox' }

/** Return the reason why Kannel cannot judge here; undefined if it can. */
export function kannelIsMissing(): string | undefined {
  const missing = Object.values(PROGRAMS).filter((path) => !existsSync(path))
  return missing.length > 0 ? `there is no ${missing.join(' and no ')} (Debian: apt-get install kannel)` : undefined
}

/** Kannel as a client of a message centre. */
export interface Kannel {
  /** Send an SMS, and return Kannel's answer. Reports come with this name. */
  send(sms: { to: string; from: string; text: string; name: string; coding?: 0 | 2 }): Promise<string>
  /** The reports of Kannel, as `name type`: 1 delivered, 2 not delivered, 8 accepted, 16 refused. */
  reports: string[]
  /** The SMS that customers have sent, as `from to text`. */
  incoming: string[]
  /** Return the output of its programs. */
  log(): string
  stop(): Promise<void>
}

/** Start Kannel, bound to the message centre at this port. */
export async function startKannel(account: {
  port: number
  system_id: string
  password: string
  /** Way in which Kannel reads message ids (`msg-id-type`). */
  msg_id_type?: number
}): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), 'kannel-'))
  const { reports, incoming, web } = await listen()
  const [admin, box, http] = await Promise.all([freePort(), freePort(), freePort()])
  const config = join(folder, 'kannel.conf')
  writeFileSync(config, configuration({ ...account, folder, admin, box, http, web: web.port }))
  let written = ''
  const start = (program: string): ChildProcess => {
    const child = spawn(program, ['-v', '0', config], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += String(chunk)))
    return child
  }
  const children = [start(PROGRAMS.bearerbox)]
  const waitFor = async (text: RegExp) => {
    const end = performance.now() + 20_000
    while (!text.test(written)) {
      if (performance.now() > end) throw new Error(`Kannel never said ${text}:\n${written.slice(-3_000)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await waitFor(/Starting to accept|added smsbox|MAIN: Start-up done|Start-up done/)
  children.push(start(PROGRAMS.smsbox))
  await waitFor(/Client connected from|Connected to bearerbox/)
  return {
    reports,
    incoming,
    log: () => written,
    async send({ to, from, text, name, coding = 0 }) {
      const report_url = `http://127.0.0.1:${web.port}/report?name=${name}&type=%d`
      const query = new URLSearchParams({
        username: 'tester',
        password: 'tester',
        from,
        to,
        text,
        charset: 'UTF-8',
        coding: String(coding),
        'dlr-mask': '31',
        'dlr-url': report_url,
      })
      const answer = await fetch(`http://127.0.0.1:${http}/cgi-bin/sendsms?${query}`)
      return answer.text()
    },
    async stop() {
      for (const child of children.reverse()) await end(child)
      await new Promise((resolve) => web.server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Listen on the addresses that Kannel calls for reports and inbound SMS. */
async function listen() {
  const [reports, incoming] = [[] as string[], [] as string[]]
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const get = (name: string) => searchParams.get(name) ?? ''
    if (pathname === '/report') reports.push(`${get('name')} ${get('type')}`)
    else incoming.push(`${get('from')} ${get('to')} ${get('text')}`)
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { reports, incoming, web: { server, port: (server.address() as AddressInfo).port } }
}

function configuration(options: {
  port: number
  system_id: string
  password: string
  msg_id_type?: number
  folder: string
  admin: number
  box: number
  http: number
  web: number
}): string {
  const { port, system_id, password, msg_id_type, admin, box, http, web } = options
  return `
group = core
admin-port = ${admin}
admin-password = tester
admin-interface = 127.0.0.1
smsbox-port = ${box}
smsbox-interface = 127.0.0.1
box-deny-ip = "*.*.*.*"
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = judged
host = 127.0.0.1
port = ${port}
transceiver-mode = true
smsc-username = ${system_id}
smsc-password = ${password}
system-type = ""
interface-version = 34
source-addr-autodetect = yes
dest-addr-ton = 1
dest-addr-npi = 1
enquire-link-interval = 2
reconnect-delay = 1
${msg_id_type === undefined ? '' : `msg-id-type = ${msg_id_type}`}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${http}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = tester
password = tester
concatenation = true
max-messages = 10

group = sms-service
keyword = default
accept-x-kannel-headers = true
max-messages = 0
concatenation = true
omit-empty = true
get-url = "http://127.0.0.1:${web}/incoming?from=%p&to=%P&text=%b"
`
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createTcpServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(timer)
}
