import { Menu } from '@mantine/core'
import { useState } from 'react'
import { api, type Query, queryText } from '../../api.ts'
import { t } from '../../texts/index.ts'
import { notifyProblem } from '../notify.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { saveFile } from './save-file.ts'

/**
 * Button that downloads a file of the service: CSV of any length, a workbook, or a PDF.
 * @param props.name name of a file to which the service gives none
 */
export function FileMenu(props: { path: string; query?: Query; tables?: Query; name: string }) {
  const { path, query = {}, tables, name } = props
  const [busy, setBusy] = useState(false)
  // A workbook or PDF may be refused because it would be too long, which a link could not show.
  const fetchFile = (format: string) => async () => {
    setBusy(true)
    try {
      const file = await api.file(path, { ...query, ...(format === 'pdf' ? {} : tables), format })
      saveFile(file.name ?? `${name}.${format}`, file.content)
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <DownloadMenu busy={busy}>
      <Menu.Item
        component="a"
        href={`/console/api${path}${queryText({ ...query, ...tables, format: 'csv' })}`}
        download
      >
        {t('parts.formats.csv')}
      </Menu.Item>
      <Menu.Item onClick={fetchFile('xlsx')}>{t('parts.formats.xlsx')}</Menu.Item>
      <Menu.Item onClick={fetchFile('pdf')}>{t('parts.formats.pdf')}</Menu.Item>
    </DownloadMenu>
  )
}
