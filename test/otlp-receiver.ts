import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as it reached a collector. */
export interface ReceivedSpan {
  trace_id: string
  span_id: string
  /** Empty for the first span of a trace. */
  parent: string
  name: string
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number
  start_ms: number
  end_ms: number
  attributes: Record<string, string | number>
  events: string[]
  links: { trace_id: string; span_id: string }[]
  /** 2: it failed. */
  status: number
  service: string
}

/** A collector that takes spans over OTLP, as protobuf over HTTP. */
export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  /** All bytes that came, as text, to look for what must not be among them. */
  text(): string
  headers: Record<string, unknown>[]
  close(): Promise<void>
}

/** Open a collector. @param status what it answers */
export async function openOtlpReceiver(status = 200): Promise<OtlpReceiver> {
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    receiver.headers.push({ ...request.headers, path: request.url })
    if (status === 200) {
      bodies.push(body)
      receiver.spans.push(...readSpans(body))
    }
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    text: () => Buffer.concat(bodies).toString('latin1'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

/** The fields of one protobuf message, by their numbers. */
type Fields = Map<number, (Buffer | bigint)[]>

/** Read the wire format of protobuf (https://protobuf.dev/programming-guides/encoding/). */
function readFields(message: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const readVarint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = Number(readVarint())
    const type = tag & 7
    let value: Buffer | bigint
    if (type === 0) value = readVarint()
    else {
      const length = type === 2 ? Number(readVarint()) : type === 1 ? 8 : 4
      value = message.subarray(at, at + length)
      at += length
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value])
  }
  return fields
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).map((value) => readFields(value as Buffer))
const text = (fields: Fields, number: number) => String(fields.get(number)?.[0] ?? '')
const hex = (fields: Fields, number: number) => (fields.get(number)?.[0] as Buffer | undefined)?.toString('hex') ?? ''
const ms = (fields: Fields, number: number) =>
  Number((fields.get(number)![0] as Buffer).readBigUInt64LE() / 1_000n) / 1_000

/** Read spans. The fields follow opentelemetry/proto/trace/v1/trace.proto. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return messages(readFields(body), 1).flatMap((resource_spans) => {
    const service = String(readAttributes(messages(resource_spans, 1)[0]!, 1)['service.name'])
    return messages(resource_spans, 2).flatMap((scope) => messages(scope, 2).map((span) => readSpan(span, service)))
  })
}

function readSpan(span: Fields, service: string): ReceivedSpan {
  return {
    trace_id: hex(span, 1),
    span_id: hex(span, 2),
    parent: hex(span, 4),
    name: text(span, 5),
    kind: Number(span.get(6)?.[0] ?? 0),
    start_ms: ms(span, 7),
    end_ms: ms(span, 8),
    service,
    attributes: readAttributes(span, 9),
    events: messages(span, 11).map((event) => text(event, 2)),
    links: messages(span, 13).map((link) => ({ trace_id: hex(link, 1), span_id: hex(link, 2) })),
    status: Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0),
  }
}

function readAttributes(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map((attribute) => {
      const value = messages(attribute, 2)[0]!
      return [text(attribute, 1), value.has(1) ? text(value, 1) : Number(value.get(3)?.[0] ?? 0)]
    }),
  )
}
