import { Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { api, type List, type Query } from '../../api.ts'
import { toCsv } from '../../csv.ts'
import { t } from '../../texts/index.ts'
import { notifyProblem } from '../notify.ts'
import { DownloadMenu } from './download-menu.tsx'
import { saveFile } from './save-file.ts'

const PAGE_SIZE = 1_000
/** The maximum number of rows in a file. */
const MAX_ROWS = 50_000

export interface CsvButtonProps {
  /** The list's path, which names the file. */
  path: string
  /** Address of its rows. */
  source?: string
  filters: Query
  /** Convert a row of the list for the file. Default: unchanged. */
  fileRow?: FileRow
}

/** Make a row of a file of a row of a list. */
export type FileRow = (row: Record<string, unknown>) => Record<string, unknown>

/** Save the filtered list as a CSV file, or as a workbook. */
export function CsvButton({ path, source = path, filters, fileRow = (row) => row }: CsvButtonProps) {
  const [busy, setBusy] = useState(false)
  const download = (format: 'csv' | 'xlsx') => async () => {
    setBusy(true)
    try {
      const rows = (await readAll(source, filters)).map(fileRow)
      const name = path.slice(1).replaceAll('/', '-')
      saveFile(`${name}.${format}`, format === 'csv' ? csvBlob(rows) : await workbook(rows))
      if (rows.length === MAX_ROWS) notifications.show({ message: t('parts.csv_limit', { count: MAX_ROWS }) })
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <DownloadMenu busy={busy}>
      <Menu.Item onClick={download('csv')}>{t('parts.formats.csv')}</Menu.Item>
      <Menu.Item onClick={download('xlsx')}>{t('parts.formats.xlsx')}</Menu.Item>
    </DownloadMenu>
  )
}

async function readAll(source: string, filters: Query): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (;;) {
    // Oldest first, so that new rows come at the end and do not shift the pages.
    const query = { ...filters, ordering: 'id', limit: PAGE_SIZE, offset: rows.length }
    const { results } = await api.get<List<Record<string, unknown>>>(source, query)
    rows.push(...results)
    if (results.length < PAGE_SIZE || rows.length >= MAX_ROWS) return rows
  }
}

/** Make a CSV file. The mark at the beginning tells a spreadsheet that the text is UTF-8. */
export function csvBlob(rows: readonly Record<string, unknown>[]): Blob {
  return new Blob(['\ufeff', toCsv(rows)], { type: 'text/csv;charset=utf-8' })
}

/** The library for workbooks is loaded when the first one is written. */
async function workbook(rows: readonly Record<string, unknown>[]): Promise<Blob> {
  const { default: writeWorkbook } = await import('../../workbook.ts')
  return writeWorkbook(rows)
}
