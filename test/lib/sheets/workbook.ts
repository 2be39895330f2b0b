import { strToU8, type Zippable, zipSync } from 'fflate'

/** A sheet of a workbook that is written by hand, so that it may hold what no program writes. */
export interface HandSheet {
  name?: string
  state?: 'hidden' | 'veryHidden'
  /** The rows of `sheetData`, or any other XML. */
  rows?: string
  /** XML before and after the rows, such as `<cols>` and `<mergeCells>`. */
  before?: string
  after?: string
  /** The whole sheet, in place of the above. */
  xml?: string
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const LINKS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

/** The bytes of an .xlsx file with these sheets. @param parts further files of the workbook, such as `xl/styles.xml` */
export function workbookOf({
  sheets,
  parts = {},
}: {
  sheets: readonly HandSheet[]
  parts?: Record<string, string>
}): Buffer {
  const number = (index: number) => index + 1
  const listed = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name ?? `Sheet${number(index)}`}" sheetId="${number(index)}" ${state ? `state="${state}" ` : ''}r:id="rId${number(index)}"/>`,
  )
  const links = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${number(index)}" Type="x/worksheet" Target="worksheets/sheet${number(index)}.xml"/>`,
  )
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${MAIN} ${LINKS}><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    ...parts,
  }
  for (const [index, { rows = '', before = '', after = '', xml }] of sheets.entries())
    files[`xl/worksheets/sheet${number(index)}.xml`] =
      xml ?? `<worksheet ${MAIN}>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`
  const zippable: Zippable = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))
  return Buffer.from(zipSync(zippable, { level: 6 }))
}

/** A row of texts. @param attributes such as `hidden="1"` */
export function textRow(number: number, texts: readonly string[], attributes = ''): string {
  const cells = texts.map(
    (text, index) => `<c r="${String.fromCharCode(65 + index)}${number}" t="inlineStr"><is><t>${text}</t></is></c>`,
  )
  return `<row r="${number}" ${attributes}>${cells.join('')}</row>`
}
