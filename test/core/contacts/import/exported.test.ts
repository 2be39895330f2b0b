import { describe, expect, it } from 'vitest'
import { readContactFile } from '../../../../src/core/contacts/import/columns.ts'
import { toCsv } from '../../../../web/files/csv.ts'
import { fieldsTable } from '../../../../web/files/file-table.ts'
import { en } from '../../../../web/texts/en/index.ts'
import fr from '../../../../web/texts/fr/index.ts'
import sw from '../../../../web/texts/sw/index.ts'

const read = (csv: string) => readContactFile({ name: 'contacts.csv', bytes: Buffer.from(csv) })

describe('contacts that the console has saved', () => {
  it.each([
    ['English', en],
    ['French', fr],
    ['Swahili', sw],
  ])('are read again with the columns of the screen in %s', async (_, { fields, contacts }) => {
    const titles = [fields.name, fields.phone_number, contacts.number, contacts.tags, fields.status]
    const { rows } = await read(toCsv({ titles, rows: [['Ann Other', '+256772000001', '007', 'P5, Bus 2', 'x']] }))
    expect(rows[0]!.cells).toEqual({
      name: { text: 'Ann Other' },
      phone_number: { text: '+256772000001' },
      number: { text: '007' },
      tags: { text: 'P5, Bus 2' },
    })
  })

  it('are read again with all fields', async () => {
    const contact = { id: 7, phone_number: '+256772000001', first_name: 'Ann', last_name: 'Other', number: '007' }
    const { rows } = await read(toCsv(fieldsTable([{ ...contact, tags: 'P5', payers: 'Mother +256772000002' }])))
    expect(rows[0]!.cells).toMatchObject({
      phone_number: { text: '+256772000001' },
      first_name: { text: 'Ann' },
      number: { text: '007' },
      payers: { text: 'Mother +256772000002' },
    })
  })
})
