/** The part of the package `smpp` that the tests use. It has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server, Socket } from 'node:net'

  namespace smpp {
    interface Pdu {
      command: string
      command_status: number
      sequence_number: number
      [field: string]: unknown
      isResponse(): boolean
      response(options?: Record<string, unknown>): Pdu
      toBuffer(): Buffer
    }
    type Answered = (pdu: Pdu) => void
    interface Session extends EventEmitter {
      socket: Socket
      send(pdu: Pdu, onAnswer?: Answered): boolean
      close(): void
      bind_transceiver(fields: Record<string, unknown>, onAnswer: Answered): void
      submit_sm(fields: Record<string, unknown>, onAnswer: Answered): void
      deliver_sm(fields: Record<string, unknown>, onAnswer?: Answered): void
      enquire_link(onAnswer: Answered): void
      unbind(onAnswer: Answered): void
      on(event: 'pdu' | 'deliver_sm', listener: (pdu: Pdu) => void): this
      on(event: 'close' | 'error' | 'connect', listener: (error?: Error) => void): this
    }
    function createServer(options: object, listener: (session: Session) => void): Server
    function connect(options: object, listener?: () => void): Session
    const PDU: new (command: string, options: Record<string, unknown>) => Pdu
    const PDU_fromBuffer: unknown
  }
  export default smpp
}
