import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { api, type List, type Query } from '../api.ts'
import { toCsv } from '../csv.ts'
import { t } from '../texts/index.ts'
import { notifyProblem } from './notify.ts'

const PAGE_SIZE = 1_000
/** The maximum number of rows in a file. */
const MAX_ROWS = 50_000

/** Saves the filtered list as a CSV file. */
export function CsvButton({ path, filters }: { path: string; filters: Query }) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const rows = await readAll(path, filters)
      save(`${path.slice(1).replaceAll('/', '-')}.csv`, toCsv(rows))
      if (rows.length === MAX_ROWS) notifications.show({ message: t('parts.csv_limit', { count: MAX_ROWS }) })
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} loading={busy} onClick={download}>
      {t('parts.csv')}
    </Button>
  )
}

async function readAll(path: string, filters: Query): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (;;) {
    // Oldest first, so that new rows come at the end and do not shift the pages.
    const query = { ...filters, ordering: 'id', limit: PAGE_SIZE, offset: rows.length }
    const { results } = await api.get<List<Record<string, unknown>>>(path, query)
    rows.push(...results)
    if (results.length < PAGE_SIZE || rows.length >= MAX_ROWS) return rows
  }
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
