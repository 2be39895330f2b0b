import { Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Query } from '../../api.ts'
import { fileName } from '../../files/file-name.ts'
import { type FileTable, fieldsTable, shownTable } from '../../files/file-table.ts'
import { useNow } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Column } from '../list/column.ts'
import { notifyProblem } from '../notify.tsx'
import { DownloadMenu, type DownloadMenuProps } from './download-menu.tsx'
import { MAX_ROWS } from './read-all.ts'
import { type SavedFormat, saveTable } from './save-table.ts'

export interface ExportMenuProps<Row> extends Omit<DownloadMenuProps, 'busy' | 'children'> {
  /** Content of the file, which names it. */
  what: string
  /** Columns of the screen. */
  columns: readonly Column<Row>[]
  read: () => Promise<readonly Row[]> | readonly Row[]
  /** Filters of the list. A period is in the name of the file. */
  filters?: Query
  /** Convert a row for a file with all fields. Default: unchanged. */
  fileRow?: (row: Row) => object
}

/** Save a list with the columns of the screen, or with all fields of the interface. */
export function ExportMenu<Row>(props: ExportMenuProps<Row>) {
  const { what, columns, read, filters, fileRow = (row) => row as object, ...look } = props
  const { busy, save } = useSave(what, filters)
  const shown = async () => shownTable(columns, await read(), t('fields.currency'))
  const all = async () => fieldsTable((await read()).map((row) => ({ ...fileRow(row) })))
  return (
    <DownloadMenu busy={busy} {...look}>
      <Menu.Item onClick={save('csv', shown)}>{t('parts.shown_csv')}</Menu.Item>
      <Menu.Item onClick={save('xlsx', shown)}>{t('parts.shown_xlsx')}</Menu.Item>
      <Menu.Divider role="separator" />
      <Menu.Item onClick={save('csv', all)}>{t('parts.fields_csv')}</Menu.Item>
      <Menu.Item onClick={save('xlsx', all)}>{t('parts.fields_xlsx')}</Menu.Item>
    </DownloadMenu>
  )
}

/** Save refused rows of a file, to be corrected and uploaded again. */
export function RefusedMenu(
  props: Omit<DownloadMenuProps, 'busy' | 'children'> & {
    /** Content of the file, which names it. */
    what: string
    read: FileTable | (() => Promise<FileTable>)
  },
) {
  const { what, read, ...look } = props
  const { busy, save } = useSave(t('parts.file_names.refused', { what }))
  if (typeof read !== 'function' && read.rows.length === 0) return null
  const table = async () => (typeof read === 'function' ? read() : read)
  return (
    <DownloadMenu busy={busy} label={t('parts.refused_rows')} {...look}>
      <Menu.Item onClick={save('csv', table)}>{t('parts.formats.csv')}</Menu.Item>
      <Menu.Item onClick={save('xlsx', table)}>{t('parts.formats.xlsx')}</Menu.Item>
    </DownloadMenu>
  )
}

function useSave(what: string, filters?: Query) {
  const [busy, setBusy] = useState(false)
  const now = useNow()
  const save = (format: SavedFormat, read: () => Promise<FileTable>) => async () => {
    setBusy(true)
    try {
      const table = await read()
      await saveTable(fileName(what, now(), filters), table, format)
      if (table.rows.length === MAX_ROWS) notifications.show({ message: t('parts.csv_limit', { count: MAX_ROWS }) })
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}
