import { inflateRawSync } from 'node:zlib'
import { getMessage } from '../messages/message.ts'
import { FileRefused } from './sheet.ts'

export const UNREADABLE = getMessage('files.broken_excel')
export const TOO_LARGE = getMessage('files.large_excel')

const MAX_ENTRIES = 2_000
const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535

/**
 * Entries of a ZIP file, by its directory, as spreadsheet programs read them. They are unpacked on demand, and their
 * unpacked bytes are counted: the sizes in the file may be wrong.
 */
export interface ZipEntries {
  /** The bytes of an entry, unpacked; undefined where there is none. @throws FileRefused above the limit */
  read(name: string): Buffer | undefined
}

/**
 * Reads the directory of a ZIP file.
 * @param max_bytes maximum unpacked size of its entries, together
 * @throws FileRefused
 */
export function openZip(file: Buffer, max_bytes: number): ZipEntries {
  const entries = readDirectory(file)
  let left = max_bytes
  return {
    read(name) {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return undefined
      const unpacked = unpack(file, entry, left)
      left -= unpacked.length
      return unpacked
    },
  }
}

interface Entry {
  method: number
  packed: number
  at: number
}

function readDirectory(file: Buffer): Map<string, Entry> {
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES) throw new FileRefused(TOO_LARGE)
  const entries = new Map<string, Entry>()
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== ENTRY) throw new FileRefused(UNREADABLE)
    const name_length = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + 46, at + 46 + name_length).toLowerCase()
    // Two programs could take different ones of two entries.
    if (entries.has(name)) throw new FileRefused(UNREADABLE)
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      at: file.readUInt32LE(at + 42),
    })
    at += 46 + name_length + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = file.length - END_BYTES; at >= first; at -= 1) if (file.readUInt32LE(at) === END) return at
  throw new FileRefused(UNREADABLE)
}

function unpack(file: Buffer, { method, packed, at }: Entry, left: number): Buffer {
  if (at + 30 > file.length || file.readUInt32LE(at) !== LOCAL) throw new FileRefused(UNREADABLE)
  const start = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  const bytes = file.subarray(start, start + packed)
  if (method === 0) {
    if (bytes.length > left) throw new FileRefused(TOO_LARGE)
    return bytes
  }
  if (method !== 8) throw new FileRefused(UNREADABLE)
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    throw new FileRefused((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : UNREADABLE)
  }
}
