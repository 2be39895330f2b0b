import { createServer, connect as openSocket, type Socket } from 'node:net'

/**
 * An address that leads to a replica at first and then to the primary, as behind a load balancer around a failover. The
 * replica keeps its connections, and refuses every statement as one that writes.
 */
export async function openMovingAddress(primary_url: string) {
  const to = new URL(primary_url)
  const sockets = new Set<Socket>()
  let at_primary = false
  let refused = 0
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    near.once('close', () => sockets.delete(near))
    if (!at_primary) return answerAsReplica(near, () => (refused += 1))
    const far = openSocket(Number(to.port), to.hostname)
    far.on('error', () => near.destroy())
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(primary_url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    /** Return the number of statements that the replica has refused. */
    refused: () => refused,
    /** New connections lead to the primary from now on. */
    move() {
      at_primary = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The server's side of the protocol, as far as it is needed: a start without a password, and simple statements. */
function answerAsReplica(socket: Socket, onRefusal: () => void): void {
  let started = false
  socket.on('data', (chunk: Buffer) => {
    if (!started) {
      started = true
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]))
      return
    }
    // 'Q' is a simple statement; what is sent in one go arrives in one piece here. A rollback succeeds everywhere.
    for (const text of chunk.toString('latin1').match(/Q[\s\S]{4}[^\0]*\0/g) ?? []) {
      const is_transaction = /^Q[\s\S]{4}(begin|rollback)/.test(text)
      if (!is_transaction) onRefusal()
      socket.write(Buffer.concat([is_transaction ? message('C', Buffer.from('BEGIN\0')) : REFUSAL, READY]))
    }
  })
}

function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const READY = message('Z', Buffer.from('I'))
const REFUSAL = message(
  'E',
  Buffer.from('SERROR\0VERROR\0C25006\0Mcannot execute INSERT in a read-only transaction\0\0'),
)
