import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection of an attacker, and what it has received. */
export interface AttackConnection {
  socket: Socket
  /** The text that the service has sent so far. */
  received(): string
  /** The status of the first answer; null while there is none. */
  status(): number | null
  is_open(): boolean
}

/**
 * Open a connection and send these bytes.
 * @param from the local address, such as 127.0.0.7: on Linux the whole of 127.0.0.0/8 belongs to the machine
 */
export async function attack(url: string, bytes: string | Buffer, from = '127.0.0.1'): Promise<AttackConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from })
  let text = ''
  socket.on('error', () => {}).on('data', (part) => (text += part))
  await once(socket, 'connect').catch(() => {})
  socket.write(bytes)
  return {
    socket,
    received: () => text,
    status: () => (text === '' ? null : Number(text.split(' ', 2)[1])),
    is_open: () => !socket.destroyed && !socket.readableEnded,
  }
}

/** The first line and the headers of a request, to which `host` is added unless it is given. */
export function head(method: string, path: string, headers: Record<string, string | number> = {}): string {
  const all = { host: 'localhost', ...headers }
  return `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
}

/** Open `count` connections that send the same, a hundred at a time. */
export async function attackMany(
  url: string,
  count: number,
  bytes: string,
  from: (index: number) => string = () => '127.0.0.1',
): Promise<AttackConnection[]> {
  const opened: AttackConnection[] = []
  for (let start = 0; start < count; start += 100) {
    const size = Math.min(100, count - start)
    opened.push(
      ...(await Promise.all(Array.from({ length: size }, (_, index) => attack(url, bytes, from(start + index))))),
    )
  }
  return opened
}

export function closeAll(connections: readonly AttackConnection[]): void {
  for (const { socket } of connections) socket.destroy()
}
