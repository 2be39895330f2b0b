import { parse } from 'content-disposition'
import { describe, expect, it } from 'vitest'
import { fileHeader } from '../../../src/http/files/file-name.ts'

describe('the header that names a file', () => {
  const names = [
    ['of letters that HTTP allows', 'statement-UGX-2030-01.pdf'],
    ['with accents', 'relevé-août.pdf'],
    ['in another script', 'ሰኔ-明細-كشف.csv'],
    ['with a quotation mark, a slash and a semicolon', 'a"b/c;d.csv'],
    ['with a line break', 'a\r\nset-cookie: b.csv'],
  ]
  it.each(names)('carries a name %s and is allowed in HTTP', (_kind, name) => {
    const header = fileHeader(name)
    expect(() => new Headers({ 'content-disposition': header })).not.toThrow()
    expect(header).toMatch(/^[\x20-\x7e]*$/)
    expect(parse(header)).toMatchObject({ type: 'attachment', parameters: { filename: name } })
  })

  it('says that a browser shows the file', () => {
    expect(fileHeader('R-000001.pdf', 'inline')).toBe('inline; filename=R-000001.pdf')
  })
})
