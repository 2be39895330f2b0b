import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Public file, compressed once. */
export interface CompressedFile {
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

const CODINGS = ['br', 'gzip'] as const

/** Brotli's best quality takes ten times as long and saves a tenth. Who has the time compresses before (`brotliAtBuild`). */
const BROTLI_QUALITY = 9

/** Compress a file for `sendFile`. @param br the file in brotli, if it is compressed already */
export async function compressFile(content: string | Buffer, br?: Buffer): Promise<CompressedFile> {
  const plain = Buffer.from(content)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }
  const [brotli, gzipped] = await Promise.all([
    br ?? promisify(brotliCompress)(plain, quality),
    promisify(gzip)(plain, { level: 9 }),
  ])
  return { etag: `"${contentHash(plain)}"`, plain, br: brotli, gzip: gzipped }
}

/** Compress as small as possible, which takes seconds for some megabytes. */
export function brotliAtBuild(content: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } })
}

/** The first digits of the SHA-256 of a file: its version. */
export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

/**
 * Answer with a file in the coding that the caller prefers, or with 304 if the caller has it (RFC 9110, sections 12.5.3 and 13.1.2). Its tag
 * is weak, because it is the same in every coding. Caches ask whether the file is new each time, unless the route has said otherwise.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: CompressedFile): FastifyReply {
  const etag = `W/${file.etag}`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (reply.getHeader('cache-control') === 'no-store') reply.header('cache-control', 'no-cache')
  if (hasTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
  const coding = negotiate(accepted, [...CODINGS]) as (typeof CODINGS)[number] | null
  if (coding === null) return reply.send(file.plain)
  return reply.header('content-encoding', coding).send(file[coding])
}

function hasTag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
