/** Block of a stream: an event with its data, or without data only a new id. */
export interface SseBlock {
  id: string
  data: string | undefined
}

/**
 * Parse Server-Sent Events (HTML Living Standard, section 9.2) from pieces of text that may end anywhere. Comments and
 * the type of an event are left out, because the data has it, too.
 */
export function createSseParser(): (piece: string) => SseBlock[] {
  let rest = ''
  let id = ''
  let has_id = false
  let data: string[] = []

  function endBlock(): SseBlock[] {
    const block = data.length > 0 || has_id ? [{ id, data: data.length > 0 ? data.join('\n') : undefined }] : []
    data = []
    has_id = false
    return block
  }

  function takeLine(line: string): SseBlock[] {
    if (line === '') return endBlock()
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (name === 'data') data.push(value)
    if (name === 'id' && !value.includes('\0')) {
      id = value
      has_id = true
    }
    return []
  }

  return (piece) => {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    return lines.flatMap(takeLine)
  }
}
